# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""CV-CUDA: planes as tensors and images, and what its operators make."""

import sys

import neighbour
from neighbour import CAPS, HEIGHT, WIDTH, zc


class CvCuda(neighbour.Neighbour):
    """It has no arithmetic of its own: flips stand for work."""

    can_write = False
    has_kernels = True

    def __init__(self):
        neighbour.need_gpu()
        import cvcuda
        super().__init__()
        self.cvcuda = cvcuda
        self._stream = cvcuda.Stream()

    @property
    def stream(self):
        return self._stream

    @property
    def handle(self):
        return self._stream.handle

    def view(self, plane):
        tensor = self.cvcuda.as_tensor(plane, 'HWC')
        assert tuple(tensor.shape) == plane.shape
        return tensor

    def address(self, array):
        return array.cuda().__cuda_array_interface__['data'][0]

    def derive(self, array):
        return self.cvcuda.flip(array, -1, stream=self._stream)

    def flip(self, plane):
        return self.derive(self.view(plane))

    def to_host(self, array):
        return zc.download(array.cuda(), stream=self._stream)

    def look_at(self, frame):
        """Its flip takes no two channels."""
        return [frame.stacked]

    def derived(self, planes):
        return neighbour.turned([stacked(planes)])

    def from_host(self, array):
        """A tensor of memory that is never freed."""
        whole = {'version': 3, 'data': (
            self.driver.allocate(array.nbytes), False), 'shape': array.shape,
                 'typestr': '|u1', 'strides': None, 'stream': None}
        zc.upload(whole, array)
        holder = type('Array', (), {'__cuda_array_interface__': whole})()
        return self.cvcuda.as_tensor(holder, 'HWC')

    def upload(self, planes):
        return [self.from_host(stacked(planes))]

    def lend(self, arrays):
        return [self.derive(array).cuda() for array in arrays]

    def lent(self, planes):
        """Rows of luma where chroma should be: bytes like others."""
        whole = stacked(planes)[::-1, ::-1]
        return [whole[:HEIGHT],
                whole[HEIGHT:].reshape(HEIGHT // 2, WIDTH // 2, 2)]


def stacked(planes):
    luma, chroma = planes
    return neighbour.np.concatenate([luma, chroma.reshape(-1, WIDTH, 1)])


def test_luma(cv, stream):
    """Turned once by zcflip and once by CV-CUDA: as it was."""
    tensors = []
    with neighbour.Feed() as feed:
        for sample in feed:
            with zc.map(sample.buffer, CAPS, stream=stream) as frame:
                tensors.append(cv.flip(frame.planes[0]))
            del frame
    for number, tensor in enumerate(tensors):
        neighbour.check([cv.to_host(tensor)], neighbour.picture(number)[:1],
                        number)


def test_stacked(cv):
    """Luma and chroma as one image of one channel."""
    with neighbour.Feed() as feed:
        for number, sample in enumerate(feed):
            with zc.map(sample.buffer, CAPS, stream=cv.stream) as frame:
                tensor = cv.flip(frame.stacked)
            del frame
            if number % 10 == 0:
                assert tuple(tensor.shape) == (HEIGHT * 3 // 2, WIDTH, 1)
                rows = cv.to_host(tensor)
                assert (rows[HEIGHT // 2:]
                        == neighbour.picture(number)[0]).all()


def test_pointer(cv):
    """as_tensor copies nothing, and gives the address back."""
    pool = zc.DevicePool(CAPS)
    buffer = pool.acquire()
    with zc.map(buffer, CAPS, stream=cv.stream) as frame:
        for plane in (*frame.planes, frame.stacked):
            back = cv.cvcuda.as_tensor(plane, 'HWC').cuda()
            interface = back.__cuda_array_interface__
            assert interface['data'][0] == plane.ptr
            assert tuple(interface['shape']) == plane.shape
            assert tuple(interface['strides']) == plane.strides


def test_image(cv):
    """as_image copies nothing either."""
    text = CAPS.replace('NV12', 'RGBA')
    for caps, name in ((CAPS, 'U8'), (text, 'RGBA8')):
        buffer = zc.DevicePool(caps).acquire()
        with zc.map(buffer, caps, stream=cv.stream) as frame:
            plane = frame.planes[0]
            image = cv.cvcuda.as_image(plane, getattr(cv.cvcuda.Format, name))
            assert (image.width, image.height) == (WIDTH, HEIGHT)
            assert cv.address(cv.cvcuda.as_tensor(image)) == plane.ptr
            del image, plane


def test_into(cv):
    """Its results go into a pipeline: the tensor's memory is the buffer's."""
    text = CAPS.replace('NV12', 'RGBA')
    description = neighbour.DOWN.replace(CAPS, text)
    rows = neighbour.np.zeros((HEIGHT, WIDTH, 4), neighbour.np.uint8)
    address = cv.driver.allocate(rows.nbytes)
    whole = {'version': 3, 'data': (address, False), 'shape': rows.shape,
             'typestr': '|u1', 'strides': None, 'stream': None}
    holder = type('Array', (), {'__cuda_array_interface__': whole})()
    with zc.Pipeline(description) as pipeline:
        for number in range(20):
            rows[...] = number
            rows[0, 0] = 200
            zc.upload(whole, rows)
            tensor = cv.cvcuda.flip(cv.cvcuda.as_tensor(holder, 'HWC'), -1,
                                    stream=cv.stream)
            buffer = zc.wrap(tensor.cuda(), text, owner=tensor)
            with zc.map(buffer, text) as frame:
                assert frame.planes[0].ptr == (
                    tensor.cuda().__cuda_array_interface__['data'][0])
            del frame
            buffer.pts = number * 33_000_000
            pipeline.push(buffer)
            cv.stream.sync()
            sample = pipeline.pull()
            got = neighbour.host_bytes(sample.buffer, rows.nbytes)
            assert (got.reshape(rows.shape) == rows).all(), number
        pipeline.end()


def main():
    try:
        cv = CvCuda()
    except (ImportError, neighbour.tap.Skip) as error:
        print(f'1..0 # SKIP {error}')
        return 0
    return neighbour.tap.run('cvcuda', [
        ('pointer', lambda: test_pointer(cv)),
        ('image', lambda: test_image(cv)),
        ('luma/named', lambda: test_luma(cv, cv.stream)),
        ('luma/default', lambda: test_luma(cv, None)),
        ('stacked', lambda: test_stacked(cv)),
        ('into', lambda: test_into(cv))])


if __name__ == '__main__':
    sys.exit(main())
