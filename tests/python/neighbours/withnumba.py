# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Numba's kernels."""

import sys

import neighbour


class Numba(neighbour.Neighbour):
    """Views by the CUDA Array Interface."""

    has_kernels = True

    def __init__(self):
        neighbour.need_gpu()
        from numba import cuda
        super().__init__()
        if not hasattr(neighbour.np, 'row_stack'):
            neighbour.np.row_stack = neighbour.np.vstack  # Numba asks for it
        self.cuda = cuda
        self._stream = cuda.stream()

        @cuda.jit
        def copy(target, source):
            y, x = cuda.grid(2)
            if y < source.shape[0] and x < source.shape[1]:
                for channel in range(source.shape[2]):
                    target[y, x, channel] = source[y, x, channel]

        @cuda.jit
        def invert(array):
            y, x = cuda.grid(2)
            if y < array.shape[0] and x < array.shape[1]:
                for channel in range(array.shape[2]):
                    array[y, x, channel] = 255 - array[y, x, channel]

        self._copy, self._invert = copy, invert
        self._warm_up()

    def _warm_up(self):
        try:
            self.invert(self.from_host(neighbour.picture(0)[0]))
        except AttributeError as error:
            raise neighbour.tap.Skip(
                f'Numba does not go with this NumPy: {error}') from error

    @property
    def stream(self):
        return self._stream

    @property
    def handle(self):
        return int(self._stream)

    def view(self, plane):
        return self.cuda.as_cuda_array(plane)

    def address(self, array):
        return int(array.__cuda_array_interface__['data'][0])

    def _launch(self, kernel, array, *arguments):
        rows, elements = array.shape[:2]
        kernel[((rows + 15) // 16, (elements + 15) // 16), (16, 16),
               self._stream](*arguments)

    def clone(self, array):
        clone = self.cuda.device_array(array.shape, array.dtype,
                                       stream=self._stream)
        self._launch(self._copy, array, clone, array)
        return clone

    def to_host(self, array):
        return array.copy_to_host()

    def invert(self, array):
        self._launch(self._invert, array, array)

    def from_host(self, array):
        made = self.cuda.to_device(neighbour.np.ascontiguousarray(array),
                                   stream=self._stream)
        self._stream.synchronize()
        return made

    def copy_into(self, target, source):
        self._launch(self._copy, source, target, source)


if __name__ == '__main__':
    sys.exit(neighbour.run('numba', Numba))
