# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""CuPy, by the CUDA Array Interface or by DLPack (the first argument)."""

import sys

import neighbour

SPIN = r'''
extern "C" __global__ void spin (long long ns) {
  long long start, now;
  asm volatile ("mov.u64 %0, %globaltimer;" : "=l" (start));
  do
    asm volatile ("mov.u64 %0, %globaltimer;" : "=l" (now));
  while (now - start < ns);
}
'''


class CuPy(neighbour.Neighbour):
    """Views by one of two protocols."""

    has_kernels = True

    def __init__(self, protocol='interface'):
        neighbour.need_gpu()
        import cupy
        super().__init__()
        self.cupy = cupy
        self._stream = cupy.cuda.Stream(non_blocking=True)
        self._spin = cupy.RawKernel(SPIN, 'spin')
        self.view = (cupy.asarray if protocol == 'interface'
                     else cupy.from_dlpack)

    @property
    def stream(self):
        return self._stream

    @property
    def handle(self):
        return self._stream.ptr

    def current(self):
        return self._stream

    def address(self, array):
        return array.data.ptr

    def clone(self, array):
        return array.copy()

    def to_host(self, array):
        return self.cupy.asnumpy(array)

    def invert(self, array):
        self.cupy.invert(array, out=array)

    def derive(self, array):
        return self.cupy.invert(array)

    def derived(self, planes):
        return neighbour.inverted(planes)

    def from_host(self, array):
        made = self.cupy.asarray(array)
        self.cupy.cuda.runtime.deviceSynchronize()
        return made

    def copy_into(self, target, source):
        target[...] = source

    def delay(self):
        self._spin((1,), (1,), (neighbour.DELAY_US * 1000,))


if __name__ == '__main__':
    which = sys.argv[1] if len(sys.argv) > 1 else 'interface'
    sys.exit(neighbour.run(f'cupy-{which}', lambda: CuPy(which)))
