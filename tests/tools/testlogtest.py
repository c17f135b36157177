# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What tools/testlog.py and tools/cases.py make of a test log."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / 'tools'))
import cases  # noqa: E402
import testlog  # noqa: E402

TAP = ('TAP version 14\n1..3\nok 1 /a/good\nok 2 /a/left-out # SKIP no GPU\n'
       'not ok 3 /a/bad - what went wrong\n')


def program(result: str, stdout: str = '', code: int = 0) -> list[testlog.Test]:
    return list(testlog.read_program({
        'name': 'gst-zc:unit+slow / frame', 'result': result,
        'stdout': stdout, 'returncode': code}))


def outcomes(tests: list[testlog.Test]) -> list[str]:
    return [test.outcome for test in tests]


def test_single_tests_are_counted():
    tests = program('FAIL', TAP, 1)
    assert outcomes(tests) == ['passed', 'skipped', 'failed']
    assert tests[0].name == 'unit/frame:/a/good'
    assert tests[1].reason == 'no GPU'
    assert tests[2].reason == 'what went wrong'


def test_names_of_every_meson():
    assert testlog.read_name('gst-zc:unit / frame') == 'unit/frame'
    assert testlog.read_name('gst-zc:unit+slow / frame') == 'unit/frame'
    assert testlog.read_name('unit - gst-zc:frame') == 'unit/frame'
    assert testlog.read_name('unit+slow - gst-zc:frame') == 'unit/frame'


def test_crash_after_good_tests_is_a_failure():
    tests = program('ERROR', 'ok 1 /a/good\n', -11)
    assert outcomes(tests) == ['passed', 'failed']


def test_program_without_tap_is_one_test():
    assert outcomes(program('OK')) == ['passed']
    assert outcomes(program('SKIP', code=77)) == ['skipped']
    assert outcomes(program('TIMEOUT')) == ['failed']


def test_expected_failure_passes():
    assert outcomes(program('EXPECTEDFAIL', code=1)) == ['passed']


def test_case_needs_a_test_that_ran():
    tests = program('FAIL', TAP, 1)
    assert cases.check_pattern('unit/frame:/a/good', tests) == ''
    assert cases.check_pattern('unit/frame:/a/l*', tests) == ''
    assert cases.check_pattern('unit/frame:/b', tests)
    assert cases.check_pattern('unit/frame:/a/*', tests)


def test_program_that_is_skipped_stands_for_its_tests():
    tests = program('SKIP', '1..0 # SKIP no GPU\n')
    assert cases.check_pattern('unit/frame:/a/good', tests) == ''
    assert cases.check_pattern('unit/frames:/a/good', tests)


def test_list_must_be_complete():
    full = {number: ['later: order'] for number in cases.expected_numbers()}
    assert cases.check_list(full) == []
    assert cases.check_list({**full, 5: ['later: order']})
    assert cases.check_list({**full, 1: ['later: some day']})
    del full[74]
    assert cases.check_list(full)


def main() -> int:
    tests = [(name, call) for name, call in globals().items()
             if name.startswith('test_')]
    print(f'1..{len(tests)}')
    for number, (name, call) in enumerate(tests, 1):
        try:
            call()
            print(f'ok {number} /testlog/{name[5:]}')
        except AssertionError as error:
            print(f'not ok {number} /testlog/{name[5:]} - {error!r}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
