# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""JAX, which takes no padded rows, writes nothing in place, and has streams of
its own that nobody can name."""

import sys

import neighbour


class Jax(neighbour.Neighbour):
    packed = True
    can_write = False
    can_name_stream = False
    has_kernels = True

    def __init__(self):
        import os
        os.environ.setdefault('XLA_PYTHON_CLIENT_PREALLOCATE', 'false')
        import jax
        import jax.dlpack
        neighbour.need_gpu()
        try:
            self.device = jax.devices('cuda')[0]
        except RuntimeError as error:
            raise neighbour.tap.Skip('JAX sees no GPU') from error
        super().__init__()
        self.jax = jax
        self._invert = jax.jit(lambda array: ~array)
        self._handle = self.driver.stream()

    @property
    def stream(self):
        return self._handle

    @property
    def handle(self):
        return self._handle

    def view(self, plane):
        return self.jax.dlpack.from_dlpack(plane)

    def address(self, array):
        return array.unsafe_buffer_pointer()

    def clone(self, array):
        return self.jax.numpy.array(array, copy=True)

    def derive(self, array):
        return self._invert(array)

    def derived(self, planes):
        return neighbour.inverted(planes)

    def to_host(self, array):
        return neighbour.np.asarray(array)

    def from_host(self, array):
        return self.jax.device_put(array, self.device).block_until_ready()

    def produce(self, planes, sources):
        return [self.jax.numpy.array(source, copy=True) for source in sources]

    def delay(self):
        """Its streams can't be held up from outside."""


if __name__ == '__main__':
    sys.exit(neighbour.run('jax', Jax))
