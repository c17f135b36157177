# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""gst-zc-info on machines that are in order, and on those that are not.

    infotest.py GST-ZC-INFO [--without-kernels]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'api'))
import tap  # noqa: E402

STUB = ("The libcuda.so.1 found is the CUDA toolkit's stub, which only serves to "
        'link: remove its folder from LD_LIBRARY_PATH and install the NVIDIA '
        'driver')
NO_DEVICE = ('The NVIDIA driver sees no CUDA device: check nvidia-smi, '
             'CUDA_VISIBLE_DEVICES and, in a container, that a GPU was given to '
             'it')
TURNS = ('identity', '90r', '180', '90l', 'horiz', 'vert', 'ul-lr', 'ur-ll')


class Answer:
    def __init__(self, *arguments: str, **env: str):
        result = subprocess.run([TOOL, *arguments], text=True, timeout=120,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                check=False, env={**os.environ, **env})
        self.code = result.returncode
        self.text = result.stdout
        self.stderr = result.stderr

    def rows(self) -> list[tuple[str, str]]:
        """Label and text of each row, with what goes on below."""
        rows = []
        for line in self.text.splitlines():
            label, rest = line[:12].strip(), line[12:]
            if label or not rows:
                rows.append((label, rest))
            else:
                rows[-1] = (rows[-1][0], f'{rows[-1][1]} {rest}')
        return rows

    def row(self, label: str, number: int = 0) -> str:
        found = [text for name, text in self.rows() if name == label]
        assert len(found) > number, (label, self.text)
        return found[number]


def as_json(expected_code: int = 0, *arguments: str, **env: str) -> dict:
    answer = Answer('--json', *arguments, **env)
    assert answer.code == expected_code, (answer.code, answer.text)
    return json.loads(answer.text)


def need_softcuda() -> None:
    devices = as_json_of_any()['devices']
    if not devices or not devices[0]['name'].startswith('softcuda'):
        raise tap.Skip('this driver is not softcuda')


def as_json_of_any() -> dict:
    return json.loads(Answer('--json', '--no-test').text)


def need_device() -> None:
    if not as_json_of_any()['devices']:
        raise tap.Skip('there is no CUDA device')
    if '--without-kernels' in sys.argv:
        raise tap.Skip('built without kernels')


def problems(expected_code: int = 1, **env: str) -> list[str]:
    return as_json(expected_code, **env)['problems']


def test_in_order() -> None:
    need_device()
    info = as_json()
    assert info['problems'] == [] and info['elements'].endswith('libgstzc.so')
    assert info['driver']['devices'] == len(info['devices']) > 0
    assert info['driver']['error'] is None
    assert Path(info['driver']['path']).name.startswith('libcuda.so')
    for device in info['devices']:
        assert device['self-test']['passed'], device
        assert device['self-test']['pictures'] == 2 * len(TURNS), device
        assert device['context'] == 'primary', device
        assert min(device['bytes-per-second'].values()) > 0, device
        assert device['kernels'] in ('cubin', 'ptx'), device
    assert {each['name'] for each in info['neighbours']} == {
        'nvcodec', 'FFmpeg', 'NVCV'}


def test_text_in_order() -> None:
    need_softcuda()
    need_device()
    answer = Answer()
    assert answer.code == 0, answer.text
    assert answer.row('gst-zc').startswith('0.'), answer.text
    assert answer.row('device 0') == (
        'softcuda 0, compute capability 9.0, 16.0 GiB, 0000:01:00.0')
    assert answer.row('device 1') == (
        'softcuda 1, compute capability 9.0, 16.0 GiB, 0000:02:00.0')
    assert answer.row('driver').startswith('CUDA 1'), answer.row('driver')
    assert answer.row('driver').endswith('libcuda.so.1'), answer.row('driver')
    assert answer.row('kernels', 1) == 'there is code for it'
    assert answer.row('context') == 'the elements use the primary one'
    assert [answer.row('peers', n) for n in (0, 1)] == ['1', '0']
    for label in ('up', 'down'):
        assert re.fullmatch(r'\d+\.\d GB/s (from|to) pinned memory, \d+\.\d '
                            r'(from|to) pageable', answer.row(label))
    assert answer.row('self-test').startswith('passed: 16 pictures in ')
    assert answer.text.endswith('Nothing is wrong.\n'), answer.text
    lines = [line for line in answer.text.splitlines() if '/' not in line]
    assert max(map(len, lines)) <= 78, answer.text


def test_two_devices() -> None:
    need_softcuda()
    devices = as_json(0, '--no-test')['devices']
    assert [each['number'] for each in devices] == [0, 1]
    assert [each['peers'] for each in devices] == [[1], [0]]
    assert [each['name'] for each in devices] == ['softcuda 0', 'softcuda 1']
    assert {each['memory'] for each in devices} == {16 << 30}
    devices = as_json(0, '--no-test', SOFTCUDA_DEVICES='4')['devices']
    assert devices[2]['peers'] == [0, 1, 3], devices
    device, = as_json(0, '--no-test', SOFTCUDA_DEVICES='1')['devices']
    assert device['peers'] == [], device


def test_visible_devices() -> None:
    """Numbers are those that CUDA_VISIBLE_DEVICES leaves, in its order."""
    need_softcuda()
    uuids = {each['name']: each['uuid'] for each in as_json(
        0, '--no-test', SOFTCUDA_DEVICES='4')['devices']}
    assert len(set(uuids.values())) == 4, uuids
    third = uuids['softcuda 2']
    for visible, cards in (('1,0', (1, 0)), ('3', (3,)), ('2,9,0', (2,)),
                           (third, (2,)), (f'{third[:8]},GPU-01', (2, 0))):
        devices = as_json(0, '--no-test', SOFTCUDA_DEVICES='4',
                          CUDA_VISIBLE_DEVICES=visible)['devices']
        assert [each['number'] for each in devices] == list(range(len(cards)))
        for device, card in zip(devices, cards, strict=True):
            assert device['name'] == f'softcuda {card}', (visible, devices)
            assert device['uuid'] == uuids[device['name']], (visible, devices)
            assert device['pci-bus-id'] == f'0000:{card + 1:02X}:00.0', devices


def test_no_peers() -> None:
    need_softcuda()
    for mode in ('staged', 'none'):
        devices = as_json(0, '--no-test', SOFTCUDA_PEERS=mode)['devices']
        assert [each['peers'] for each in devices] == [[], []], devices


def test_no_test() -> None:
    """It makes no context, so it is of no harm to a busy machine."""
    need_softcuda()
    device = as_json(0, '--no-test')['devices'][0]
    assert not device['self-test']['ran'] and device['context'] is None
    assert not device['primary-context-active']
    assert set(device['bytes-per-second'].values()) == {0}


def test_no_driver() -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / 'libcuda.so.1').write_text('no library')
        path = f'{folder}:{os.environ.get("LD_LIBRARY_PATH", "")}'
        answer = Answer(LD_LIBRARY_PATH=path)
        info = as_json(1, LD_LIBRARY_PATH=path)
    assert answer.code == 1, answer.text
    assert answer.row('driver') == 'none', answer.text
    wrong = answer.row('WRONG')
    assert wrong.startswith('No NVIDIA driver was found ('), wrong
    assert wrong.endswith('install the driver, or make its libcuda.so.1 visible '
                          'in this container'), wrong
    assert answer.row('next').startswith('docs/troubleshooting.md has')
    assert info['problems'] == [info['driver']['error']] and not info['devices']
    assert info['driver']['path'] is None


def test_old_driver() -> None:
    """One whose library lacks a function."""
    if not shutil.which('cc'):
        raise tap.Skip('there is no compiler')
    with tempfile.TemporaryDirectory() as folder:
        tap.command('sh', '-c', 'echo "int cuInit (unsigned flags) { return 0; }"'
                    f' | cc -x c -shared -fPIC -o {folder}/libcuda.so.1 -')
        answer = Answer(LD_LIBRARY_PATH=f'{folder}:'
                        f'{os.environ.get("LD_LIBRARY_PATH", "")}')
        assert answer.row('driver') == (
            f"{folder}/libcuda.so.1, which can't be used"), answer.text
    assert answer.code == 1
    assert answer.row('WRONG') == (
        "The NVIDIA driver's libcuda.so.1 has no cuDriverGetVersion: install a "
        'driver of CUDA 12.0 (525) or newer'), answer.text


def test_stub_driver() -> None:
    need_softcuda()
    answer = Answer(SOFTCUDA_MODE='stub')
    assert (answer.code, answer.row('WRONG')) == (1, STUB), answer.text
    # the folder that is to go
    assert answer.row('driver').endswith(
        "libcuda.so.1, which can't be used"), answer.text
    assert problems(SOFTCUDA_MODE='stub') == [STUB]


def test_no_device() -> None:
    need_softcuda()
    assert problems(SOFTCUDA_DEVICES='0') == [NO_DEVICE]
    assert problems(CUDA_VISIBLE_DEVICES='') == [NO_DEVICE]


def test_architecture_that_nothing_fits() -> None:
    need_softcuda()
    need_device()
    # the PTX is newer than the driver, which is CUDA_ERROR_UNSUPPORTED_PTX_VERSION
    older = {'SOFTCUDA_FAIL': 'cuModuleLoadData:0:222'}
    for capability, kernels, driver in (('60', 'none', {}),
                                        ('130', 'ptx', older)):
        info = as_json(1, SOFTCUDA_CAPABILITY=capability, SOFTCUDA_DEVICES='1',
                       **driver)
        device, = info['devices']
        assert device['kernels'] == kernels, device
        assert device['compute-capability'] == int(capability)
        assert not device['self-test']['passed']
        problem, = info['problems']
        assert problem.startswith(
            'device 0, self-test, RGBA 33x21 identity: No kernel for CUDA device '
            f'0, which is sm_{capability}: this build has sm_75 '), problem
        assert problem.endswith(
            'update the NVIDIA driver, or build gst-zc with a CUDA Toolkit that '
            f'knows sm_{capability}'), problem


def test_architecture_served_by_ptx() -> None:
    need_softcuda()
    need_device()
    info = as_json(0, SOFTCUDA_CAPABILITY='130', SOFTCUDA_DEVICES='1')
    device, = info['devices']
    assert device['kernels'] == 'ptx', device
    assert device['self-test']['passed'], device


def test_old_architecture_of_one_family() -> None:
    """Code for sm_80 runs on 8.6, too, and that for 9.0 on nothing else."""
    need_softcuda()
    need_device()
    for capability, kernels in (('75', 'cubin'), ('87', 'cubin'),
                                ('99', 'cubin'), ('70', 'none')):
        info = json.loads(Answer('--json', '--no-test', SOFTCUDA_DEVICES='1',
                                 SOFTCUDA_CAPABILITY=capability).text)
        assert info['devices'][0]['kernels'] == kernels, info['devices']


def test_kernel_that_does_nothing() -> None:
    need_softcuda()
    need_device()
    # success is what the driver says, and nothing is what happens
    problem, = problems(SOFTCUDA_FAIL='cuLaunchKernel:0:0',
                        SOFTCUDA_DEVICES='1')
    assert re.fullmatch(
        r'device 0, self-test, RGBA 33x21 90r: byte 0 of the pixel at 0,0 of '
        r'plane 0 is 0x.., not 0x..: the GPU gives wrong pixels; update the '
        r'NVIDIA driver, and if that does not help report it with this output',
        problem), problem


def test_one_kernel_that_does_nothing() -> None:
    """Each orientation and both formats are looked at."""
    need_softcuda()
    need_device()
    # identity passes, all others take one launch
    launches = [(pixels, turn) for pixels in ('RGBA', 'NV12')
                for turn in TURNS[1:]]
    for number, (pixels, turn) in enumerate(launches, 1):
        if number % 3 == 2:
            continue
        problem, = problems(SOFTCUDA_FAIL=f'cuLaunchKernel:{number}:0',
                            SOFTCUDA_DEVICES='1')
        assert re.match(rf'device 0, self-test, {pixels} \d+x\d+ {turn}: byte ',
                        problem), (number, problem)


def test_kernel_that_fails() -> None:
    need_softcuda()
    need_device()
    problem, = problems(SOFTCUDA_FAIL='cuLaunchKernel:1:719:sticky',
                        SOFTCUDA_DEVICES='1')
    assert problem.startswith(
        'device 0, self-test, RGBA 33x21 90r: cuLaunchKernel failed with '
        'CUDA_ERROR_LAUNCH_FAILED (719, '), problem
    assert problem.endswith('the CUDA context is lost, the process must be '
                            'restarted'), problem


def test_no_memory() -> None:
    need_softcuda()
    need_device()
    found = problems(SOFTCUDA_FAIL='cuMemAllocPitch_v2:0:2',
                     SOFTCUDA_DEVICES='1')
    assert found[0] == ('device 0, copies: there is no device memory for a '
                        'picture of 16 MiB: close other programs'), found
    assert 'self-test, RGBA 33x21 identity: No device memory for' in found[1]


def test_elements_not_found() -> None:
    with tempfile.TemporaryDirectory() as folder:
        info = json.loads(Answer(
            '--json', '--no-test', GST_PLUGIN_PATH_1_0=folder,
            GST_PLUGIN_PATH=folder, GST_PLUGIN_SYSTEM_PATH_1_0=folder,
            GST_REGISTRY_1_0=f'{folder}/registry.bin').text)
    assert info['elements'] is None
    assert any(problem.startswith(
        'GStreamer does not find the element zcupload: set GST_PLUGIN_PATH to '
        'the folder of libgstzc.so') for problem in info['problems']), info


def test_neighbours() -> None:
    found = {each['name']: each for each in as_json_of_any()['neighbours']}
    if found['nvcodec']['found']:
        assert 'cudaupload' in found['nvcodec']['detail'].split()
    if found['FFmpeg']['found']:
        assert re.fullmatch(r'libavutil\.so\.\d+, built with CUDA',
                            found['FFmpeg']['detail'])
    with tempfile.TemporaryDirectory() as folder:
        info = json.loads(Answer(
            '--json', '--no-test', GST_PLUGIN_SYSTEM_PATH_1_0=folder,
            GST_REGISTRY_1_0=f'{folder}/registry.bin').text)
    assert info['neighbours'][0] == {
        'name': 'nvcodec', 'found': False,
        'detail': 'the plugin nvcodec of gst-plugins-bad is not installed'}


def test_usage() -> None:
    for arguments in (['--nonsense'], ['extra']):
        answer = Answer(*arguments)
        assert (answer.code, answer.text) == (2, ''), answer.code
        assert arguments[0] in answer.stderr, answer.stderr
    assert Answer('--version').text.startswith('gst-zc-info 0.')
    assert '--json' in Answer('--help').text


if __name__ == '__main__':
    TOOL = sys.argv[1]
    sys.exit(tap.run('info', [
        (name[5:].replace('_', '-'), test) for name, test
        in list(globals().items()) if name.startswith('test_')]))
