# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What can't be a buffer: the error names the field, and nothing is kept."""

import ctypes
import gc
import sys
import weakref

import front
from driver import Driver
from fakes import Array, Picture, Tensor
from front import caps, expect, zc
from gstzc import keep

np = front.need_numpy()
SMALL = caps('NV12', 64, 48)


class Case:
    """A picture that is good, for a row of the table to spoil."""

    def __init__(self):
        self.driver = Driver()
        self.picture = Picture(self.driver)
        self.luma, self.chroma = self.picture.planes
        self.whole = self.picture.stacked
        self.owners = []

    def array(self, **more):
        return self._kept(Array(self.whole, **more))

    def planes(self, **more):
        return [self._kept(Array({**self.luma, **more})), Array(self.chroma)]

    def tensor(self, **more):
        return self._kept(Tensor(self.driver, {**self.whole, **more}))

    def _kept(self, array):
        self.owners.append(weakref.ref(array))
        return array


def freed(case):
    """An address: the real driver need not notice."""
    case.driver.need_softcuda()
    address = case.driver.allocate(4096 * 4)
    case.driver.free(address)
    return address


def pinned(case):
    """Page-locked memory has an address on the device, too."""
    case.page = case.driver.pinned(4608)
    return ctypes.addressof(case.page)


def at(address):
    return (address, False)


def spoiled(case, change, **options):
    """A tensor whose struct is changed on its way."""
    tensor = case.tensor(**options)
    make = tensor.capsule

    def capsule():
        from gstzc import dlpack
        made = make()
        change(dlpack._unused(id(made))[0])
        return made

    tensor.capsule = capsule
    return tensor


def set_version(managed):
    managed.major = 2


def set_lanes(managed):
    managed.tensor.lanes = 4


def set_bool(managed):
    managed.tensor.code = 6


def set_host(managed):
    managed.tensor.device_type = 1


class NoDevice(Tensor):
    device = (1, 0)


class Raises:
    """As PyTorch's tensors that need a gradient."""

    @property
    def __cuda_array_interface__(self):
        raise RuntimeError('not now')


def without(case, name):
    array = dict(case.whole)
    del array[name]
    return array


def odd_rows(case):
    """16 bits, and rows an odd number of bytes apart."""
    address = case.picture.address
    return [{'version': 3, 'data': (address, False), 'typestr': '<u2',
             'shape': (8, 8), 'strides': (33, 2)},
            {'version': 3, 'data': (address + 512, False), 'typestr': '<u2',
             'shape': (4, 4, 2), 'strides': (32, 4, 2)}]


def of_two_devices(case):
    other = Driver(1)
    address = other.allocate(64 * 24)
    Driver(0)
    return [case.luma, {**case.chroma, 'data': (address, False),
                        'strides': None}]


ROWS = {
    # of the kind
    'nothing': (TypeError, 'NoneType', lambda case: None),
    'text': (TypeError, 'str', lambda case: 'x'),
    'empty-list': (ValueError, 'planes', lambda case: []),
    'one-of-two': (ValueError, 'shape', lambda case: [case.luma]),
    'three-of-two': (ValueError, 'planes',
                     lambda case: [case.luma, case.chroma, case.chroma]),
    'no-dictionary': (TypeError, 'dictionary',
                      lambda case: type('X', (), {
                          '__cuda_array_interface__': 7})()),
    'raises': (TypeError, 'Raises', lambda case: Raises()),
    'host-array': (TypeError, 'device', lambda case: np.zeros((72, 64),
                                                              np.uint8)),
    'host-arrays': (TypeError, 'device', lambda case: [
        np.zeros((48, 64), np.uint8), case.chroma]),
    # of a field of the dictionary
    'no-data': (ValueError, 'data', lambda case: without(case, 'data')),
    'no-data-object': (ValueError, 'data', lambda case: Array(
        without(case, 'data'))),
    'data-number': (TypeError, 'data', lambda case: case.array(data=4096)),
    'data-none': (TypeError, 'data', lambda case: case.array(
        data=(None, False))),
    'data-0': (ValueError, 'data', lambda case: case.array(data=(0, False))),
    'data-host': (ValueError, 'data', lambda case: case.array(
        data=(np.zeros(4608, np.uint8).ctypes.data, False))),
    'data-pinned': (TypeError, 'host', lambda case: case.array(
        data=at(pinned(case)))),
    'data-freed': (ValueError, 'data', lambda case: case.array(
        data=at(freed(case)))),
    'data-other-device': (ValueError, 'device', of_two_devices),
    'no-shape': (ValueError, 'shape', lambda case: without(case, 'shape')),
    'shape-text': (TypeError, 'shape', lambda case: case.array(shape='72')),
    'shape-0': (ValueError, 'shape', lambda case: case.planes(shape=(0, 64, 1))),
    'shape-negative': (ValueError, 'shape', lambda case: case.planes(
        shape=(-48, 64, 1))),
    'rank-1': (ValueError, 'shape', lambda case: case.planes(
        shape=(3072,), strides=None)),
    'rank-4': (ValueError, 'shape', lambda case: case.planes(
        shape=(48, 1, 64, 1), strides=None)),
    'rank-5': (ValueError, 'shape', lambda case: case.planes(
        shape=(1, 1, 48, 64, 1), strides=None)),
    'too-few-rows': (ValueError, 'shape', lambda case: case.planes(
        shape=(47, 64, 1))),
    'channels': (ValueError, 'shape', lambda case: case.planes(
        shape=(48, 64, 3), strides=(240, 3, 1))),
    'strides-few': (ValueError, 'strides', lambda case: case.array(
        strides=(80,))),
    'strides-text': (TypeError, 'strides', lambda case: case.array(
        strides='80')),
    'strides-overlap': (ValueError, 'strides', lambda case: case.array(
        strides=(63, 1))),
    'strides-0': (ValueError, 'strides', lambda case: case.array(
        strides=(0, 1))),
    'strides-gaps': (ValueError, 'strides', lambda case: case.array(
        strides=(80, 2))),
    'strides-leave': (ValueError, 'stride', lambda case: case.array(
        strides=(8000, 1))),
    'strides-odd': (ValueError, 'strides', odd_rows, 'P010_10LE', 8, 8),
    'no-typestr': (TypeError, 'typestr', lambda case: without(
        case, 'typestr')),
    'typestr-float': (ValueError, 'typestr', lambda case: case.planes(
        typestr='<f4')),
    'typestr-signed': (ValueError, 'typestr', lambda case: case.planes(
        typestr='|i1')),
    'typestr-16': (ValueError, 'typestr', lambda case: case.planes(
        typestr='<u2')),
    'typestr-order': (ValueError, 'typestr', lambda case: [
        {**case.luma, 'typestr': '>u2'}] * 2, 'P010_10LE', 64, 48),
    'stream-text': (ValueError, 'stream', lambda case: case.array(
        stream='x')),
    'stream-negative': (ValueError, 'stream', lambda case: case.array(
        stream=-2)),
    'mask': (ValueError, 'mask', lambda case: case.array(mask=case.array())),
    # of a tensor
    'tensor-host': (TypeError, 'device', lambda case: NoDevice(
        case.driver, case.whole)),
    'tensor-host-inside': (TypeError, 'device',
                           lambda case: spoiled(case, set_host)),
    'tensor-version': (ValueError, 'version',
                       lambda case: spoiled(case, set_version)),
    'tensor-lanes': (TypeError, 'dtype',
                     lambda case: spoiled(case, set_lanes)),
    'tensor-bool': (TypeError, 'dtype', lambda case: spoiled(case, set_bool)),
    'tensor-float': (ValueError, 'typestr', lambda case: case.tensor(
        typestr='<f4', strides=(80, 4))),
    'tensor-rank': (ValueError, 'shape', lambda case: [
        case.tensor(shape=(3072,), strides=(1,)), case.chroma]),
    'tensor-overlap': (ValueError, 'strides', lambda case: case.tensor(
        strides=(63, 1))),
    'tensor-empty': (ValueError, 'shape', lambda case: [
        case.tensor(shape=(0, 64)), case.chroma]),
    'tensor-strides-0': (ValueError, 'strides', lambda case: case.tensor(
        strides=(0, 1))),
    'tensor-gaps': (ValueError, 'strides', lambda case: case.tensor(
        strides=(80, 2))),
    'tensor-leaves': (ValueError, 'memory ends', lambda case: case.tensor(
        data=at(case.picture.address + 80))),
    'tensor-data-0': (ValueError, 'data', lambda case: case.tensor(
        data=at(0))),
    'tensor-data-host': (ValueError, 'data', lambda case: case.tensor(
        data=at(np.zeros(4608, np.uint8).ctypes.data))),
    'tensor-data-pinned': (TypeError, 'host', lambda case: case.tensor(
        data=at(pinned(case)))),
    'tensor-data-freed': (ValueError, 'data', lambda case: case.tensor(
        data=at(freed(case)))),
    'tensors-two-devices': (ValueError, 'device', lambda case: [
        case.tensor(**case.luma), Tensor(Driver(0), {
            **of_two_devices(case)[1], 'strides': (64, 2, 1)})]),
    'tensor-no-capsule': (TypeError, 'capsule', lambda case: type(
        'X', (Tensor,), {'capsule': lambda self: 'x'})(case.driver,
                                                       case.whole)),
    # of an address
    'address-0': (ValueError, 'data', lambda case: 0),
    'address-negative': (ValueError, 'data', lambda case: -4096),
    'address-host': (ValueError, 'data', lambda case: np.zeros(
        4608, np.uint8).ctypes.data),
    'address-pinned': (TypeError, 'host', pinned),
    'address-freed': (ValueError, 'data', freed),
    'address-leaves': (ValueError, 'memory ends',
                       lambda case: case.picture.address + 80 * 72 - 64),
    'addresses-two-devices': (ValueError, 'device', lambda case: [
        each['data'][0] for each in of_two_devices(case)]),
    'addresses-few': (ValueError, 'planes', lambda case: [
        case.picture.address]),
    # of the picture
    'one-row-past-the-end': (ValueError, 'memory ends', lambda case: case.array(
        data=(case.picture.address + 80, False))),
    'planes-overlap': (ValueError, 'in common', lambda case: [
        case.luma, {**case.chroma, 'data': case.luma['data']}]),
    'format': (ValueError, 'GRAY8', lambda case: case.array(), 'GRAY8', 64,
               48),
    'size': (ValueError, 'shape', lambda case: case.planes(), 'NV12', 64, 64),
}


def check(kind, words, make, fmt='NV12', width=64, height=48):
    case = Case()
    try:
        zc.wrap(case.whole, SMALL)  # what is made once, is made
        front.until(lambda: keep.count() == 0)
        before = case.driver.alive() if case.driver.is_softcuda else None
        planes = make(case)
        expect(kind, words, zc.wrap, planes, caps(fmt, width, height))
        del planes
        gc.collect()
        assert keep.count() == 0 and all(not each() for each in case.owners)
        if before:
            after = case.driver.alive()
            for name in ('streams', 'contexts'):
                assert after[name] <= before[name] + 1, (name, before, after)
    finally:
        case.picture.free()


TABLE_WRAP = (check, ROWS)


def dictionaries(planes):
    """What objects say of themselves, without the objects."""
    if isinstance(planes, list):
        return [dictionaries(each) for each in planes]
    return planes.__cuda_array_interface__ if isinstance(
        planes, Array) else planes


def check_dictionary(kind, words, make, *picture):
    check(kind, words, lambda case: dictionaries(make(case)), *picture)


FIELDS = ('data', 'shape', 'rank', 'too-few', 'channels', 'strides',
          'typestr', 'stream', 'mask')
TABLE_WRAP_DICTIONARY = (check_dictionary, {
    name: row for name, row in ROWS.items() if name.startswith(FIELDS)})


def check_argument(kind, words, options):
    case = Case()
    expect(kind, words, zc.wrap, case.array(), **options)
    assert keep.count() == 0
    case.picture.free()


TABLE_ARGUMENT = (check_argument, {
    'caps-none': (TypeError, 'caps', {'caps': None}),
    'caps-audio': (ValueError, 'caps', {'caps': 'audio/x-raw'}),
    'caps-no-size': (ValueError, 'caps', {'caps': 'video/x-raw,format=NV12'}),
    'stream-0': (ValueError, 'stream', {'caps': SMALL, 'stream': 0}),
    'stream-text': (TypeError, 'stream', {'caps': SMALL, 'stream': 'x'}),
})


def test_driver_fails():
    """An owner gets it back once, also when the driver says no."""
    case = Case()
    case.driver.need_softcuda()
    tensor = case.tensor()
    zc.wrap(case.array(), SMALL)
    front.until(lambda: keep.count() == 0)
    case.driver.fail('cuMemGetAddressRange_v2', 999)
    try:
        expect(RuntimeError, 'cuMemGetAddressRange', zc.wrap, tensor, SMALL)
    finally:
        case.driver.fail_clear()
    gc.collect()
    assert tensor.live == 0 and keep.count() == 0
    case.picture.free()


if __name__ == '__main__':
    sys.exit(front.run('bad', globals()))
