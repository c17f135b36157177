# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What array libraries make of a plane's CUDA Array Interface: address, shape,
strides with padding and without, types, and what may not be written. cases.md
41, 42."""

import functools
import sys

import neighbour
import tap
from neighbour import np, zc

WIDTH, HEIGHT = 1366, 768
TEXT = 'video/x-raw(memory:CUDAMemory),format=%s,width=%d,height=%d,' \
       'framerate=30/1'
RGBA = TEXT % ('RGBA', WIDTH, HEIGHT)
P010 = TEXT % ('P010_10LE', 34, 18)
FLIP = f'appsrc name=src caps="{RGBA}" format=time ! zcflip ' \
       'video-direction=180 packed=%s ! appsink name=sink sync=false'


class Seen:
    """As a library says it, with strides in bytes."""

    def __init__(self, address, shape, strides, dtype, pixels):
        self.address = int(address)
        self.shape, self.strides = tuple(shape), tuple(strides)
        self.dtype = np.dtype(dtype)
        self.pixels = pixels


class Consumer:
    """see() looks at a plane by its CUDA Array Interface, in the stream."""

    has_16_bits = True
    refuses_readonly = False

    def __init__(self):
        self.driver = neighbour.Driver()

    def see(self, plane) -> Seen:
        raise NotImplementedError

    def download(self, address, shape, strides, typestr):
        return zc.download({'version': 3, 'data': (int(address), False),
                            'shape': tuple(shape), 'strides': tuple(strides),
                            'typestr': typestr, 'stream': None})


def tight(shape, dtype):
    """What a library means that says no strides."""
    return np.empty(shape, dtype).strides


class Bare(Consumer):
    """By the rules of the interface, word for word."""

    def see(self, plane):
        array = plane.__cuda_array_interface__
        assert array['version'] == 3
        for name in ('shape', 'strides'):
            assert type(array[name]) is tuple
            assert all(type(each) is int for each in array[name])
        address, readonly = array['data']
        assert type(address) is int and type(readonly) is bool
        assert readonly is plane.readonly
        assert array['typestr'] in ('|u1', '<u2')
        assert array['stream'] is None or array['stream'] > 0
        self.driver.synchronize()
        return Seen(address, array['shape'], array['strides'],
                    array['typestr'], self.download(
                        address, array['shape'], array['strides'],
                        array['typestr']))


class CuPy(Consumer):
    def __init__(self):
        neighbour.need_gpu()
        import cupy
        super().__init__()
        self.cupy = cupy

    def see(self, plane):
        array = self.cupy.asarray(plane)
        return Seen(array.data.ptr, array.shape, array.strides, array.dtype,
                    self.cupy.asnumpy(array))


class Numba(Consumer):
    def __init__(self):
        neighbour.need_gpu()
        from numba import cuda
        super().__init__()
        self.cuda = cuda

    def see(self, plane):
        array = self.cuda.as_cuda_array(plane)
        address = array.__cuda_array_interface__['data'][0]
        return Seen(address, array.shape, array.strides, array.dtype,
                    self.download(address, array.shape, array.strides,
                                  plane.typestr))


class Torch(Consumer):
    """Without a device it would make a copy on the CPU."""

    has_16_bits = False  # without sign: not in all versions
    refuses_readonly = True

    def __init__(self):
        neighbour.need_gpu()
        import torch
        if not torch.cuda.is_available():
            raise tap.Skip('PyTorch sees no GPU')
        super().__init__()
        self.torch = torch

    def see(self, plane):
        self.driver.synchronize()  # it looks at no stream
        tensor = self.torch.as_tensor(plane, device='cuda')
        return Seen(tensor.data_ptr(), tensor.shape, [
            each * tensor.element_size() for each in tensor.stride()],
                    'u1', tensor.cpu().numpy())


class CudaCore(Consumer):
    """StridedMemoryView, of something that has no DLPack."""

    def __init__(self):
        try:
            from cuda.core.utils import StridedMemoryView
        except ImportError:
            from cuda.core.experimental.utils import StridedMemoryView
        super().__init__()
        self.strided = StridedMemoryView
        self.stream = self.driver.stream()

    def see(self, plane):
        interface = plane.__cuda_array_interface__
        only = type('Only', (), {'__cuda_array_interface__': interface})()
        make = getattr(self.strided, 'from_cuda_array_interface', self.strided)
        view = make(only, stream_ptr=self.stream)
        assert view.readonly is plane.readonly and view.device_id == 0
        assert view.is_device_accessible
        self.driver.synchronize(self.stream)
        strides = tight(view.shape, view.dtype) if view.strides is None else [
            each * np.dtype(view.dtype).itemsize for each in view.strides]
        return Seen(view.ptr, view.shape, strides, view.dtype, self.download(
            view.ptr, view.shape, strides, plane.typestr))


class CvCuda(Consumer):
    def __init__(self):
        neighbour.need_gpu()
        import cvcuda
        super().__init__()
        self.cvcuda = cvcuda

    def see(self, plane):
        self.driver.synchronize()  # it looks at no stream
        tensor = self.cvcuda.as_tensor(plane, 'HWC')
        array = tensor.cuda().__cuda_array_interface__
        strides = array['strides'] or tight(array['shape'], plane.dtype)
        address = array['data'][0]
        return Seen(address, array['shape'], strides, array['typestr'],
                    self.download(address, array['shape'], strides,
                                  plane.typestr))


CONSUMERS = {'bare': Bare, 'cupy': CuPy, 'numba': Numba, 'torch': Torch,
             'cuda-core': CudaCore, 'cvcuda': CvCuda}


def make(name):
    try:
        return CONSUMERS[name]()
    except ImportError as error:
        raise tap.Skip(str(error)) from error


def random(shape, dtype=np.uint8):
    return np.random.default_rng(41).integers(0, np.iinfo(dtype).max, shape,
                                              dtype, endpoint=True)


def filled(text, planes):
    buffer = zc.DevicePool(text).acquire()
    with zc.map(buffer, text, zc.WRITE) as frame:
        frame.upload(planes)
    return buffer


def expect(seen, plane, wanted):
    assert seen.address == plane.ptr, 'a copy was made'
    assert seen.shape == plane.shape == wanted.shape
    assert seen.strides == plane.strides, (seen.strides, plane.strides)
    assert seen.dtype == plane.dtype == wanted.dtype
    assert (seen.pixels == wanted).all()


def check_rows(name, packed):
    """Pixels of an element, with rows further apart than their bytes or not."""
    consumer = make(name)
    picture = random((HEIGHT, WIDTH, 4))
    with zc.Pipeline(FLIP % str(packed).lower()) as pipeline:
        pipeline.push(filled(RGBA, picture))
        buffer = pipeline.pull().buffer
    # which an appsink keeps until it stops
    with zc.map(buffer, RGBA, zc.READ | zc.WRITE) as frame:
        plane, = frame.planes
        assert plane.strides[1:] == (4, 1)
        assert (plane.strides[0] == WIDTH * 4 if packed
                else plane.strides[0] > WIDTH * 4)
        expect(consumer.see(plane), plane, picture[::-1, ::-1])
        del plane


def check_dictionary(name):
    """Two kinds of planes of 16 bits, which nobody may write."""
    consumer = make(name)
    planes = [random((18, 34, 1), np.uint16), random((9, 17, 2), np.uint16)]
    buffer = filled(P010, planes)
    with zc.map(buffer, P010) as frame:
        for plane, wanted in zip(frame.planes, planes):
            assert plane.__cuda_array_interface__['data'] == (plane.ptr, True)
            assert plane.__cuda_array_interface__['typestr'] == '<u2'
            if consumer.has_16_bits:
                expect(consumer.see(plane), plane, wanted)
        del plane


def check_readonly(name):
    """Of a frame that is mapped for READ, and of one that is not."""
    consumer = make(name)
    picture = random((HEIGHT, WIDTH, 4))
    buffer = filled(RGBA, picture)
    with zc.map(buffer, RGBA, zc.READ | zc.WRITE) as frame:
        expect(consumer.see(frame.planes[0]), frame.planes[0], picture)
    with zc.map(buffer, RGBA) as frame:
        plane = frame.planes[0]
        assert plane.__cuda_array_interface__['data'][1] is True
        if consumer.refuses_readonly:
            try:
                consumer.see(plane)
            except (TypeError, ValueError, RuntimeError):
                return
            raise AssertionError('it takes what it may not write: say so in '
                                 'docs/interop')
        expect(consumer.see(plane), plane, picture)


def main():
    tests = []
    for name in CONSUMERS:
        tests += [
            (f'pitched/{name}', functools.partial(check_rows, name, False)),
            (f'packed/{name}', functools.partial(check_rows, name, True)),
            (f'dictionary/{name}', functools.partial(check_dictionary, name)),
            (f'read-only/{name}', functools.partial(check_readonly, name))]
    return tap.run('consumers', tests)


if __name__ == '__main__':
    sys.exit(main())
