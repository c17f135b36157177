# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Makes a Markdown table or an SVG plot of the JSON files of ./zc bench.

  benchreport.py table FILE... [--tables KEY] [--rows KEYS] [--columns KEYS]
  benchreport.py plot FILE... -o OUT.svg [--groups KEYS] [--series KEYS]

KEYS are names out of job, who, format and size, with commas between them. Rows
of several files stand side by side. --only KEY=VALUE,VALUE... keeps what has
one of these values, in this order, and may be given for several keys. A table
has microseconds a frame and, in brackets, how many times the limit that is; a
plot has the latter.
"""

import argparse
import json
import sys
from typing import NamedTuple, Optional

import barplot

KEYS = ('job', 'who', 'format', 'size')


class Row(NamedTuple):
    """One figure: a line of a bench's table."""
    job: str
    who: str
    format: str
    size: str
    us: Optional[float]  # None: not there
    limit: Optional[str]
    limit_us: Optional[float]

    @property
    def ratio(self) -> Optional[float]:
        return self.us / self.limit_us if self.us and self.limit_us else None

    def label(self, keys: list[str]) -> str:
        return ' '.join(getattr(self, key) for key in keys)


def read_row(row: dict) -> Row:
    limit = row.get('limit') or {}
    return Row(row['job'], row['who'], row['format'],
               f'{row["width"]}x{row["height"]}', row['us'],
               limit.get('who'), limit.get('us'))


def read_rows(paths: list[str]) -> list[Row]:
    rows = []
    for path in paths:
        with open(path, encoding='utf-8') as file:
            rows += [read_row(row) for row in json.load(file)['rows']]
    return rows


def choose(rows: list[Row], only: list[str]) -> list[Row]:
    """The rows that each KEY=VALUES lets through, in the order of its values."""
    for condition in reversed(only):
        key, _, text = condition.partition('=')
        values = text.split(',')
        rows = sorted((row for row in rows if getattr(row, key) in values),
                      key=lambda row: values.index(getattr(row, key)))
    return rows


def labels(rows: list[Row], keys: list[str]) -> list[str]:
    """Each once, in the order in which they come."""
    return list(dict.fromkeys(row.label(keys) for row in rows))


def amount(us: float) -> str:
    return f'{us:.0f}' if us >= 100 else f'{us:.1f}'


def cell(row: Optional[Row]) -> str:
    if row is None:
        return ''
    if row.us is None:
        return 'not there'
    return amount(row.us) + (f' ({row.ratio:.2f})' if row.ratio else '')


def table(rows: list[Row], row_keys: list[str], column_keys: list[str]) -> str:
    """Of several rows with the same labels, the first counts."""
    cells: dict[tuple[str, str], Row] = {}
    for row in rows:
        cells.setdefault((row.label(row_keys), row.label(column_keys)), row)
    columns = labels(rows, column_keys)
    lines = [f'| {", ".join(row_keys)} | {" | ".join(columns)} |',
             f'|---|{"---:|" * len(columns)}']
    for name in labels(rows, row_keys):
        found = (cell(cells.get((name, column))) for column in columns)
        lines.append(f'| {name} | {" | ".join(found)} |')
    return '\n'.join(lines) + '\n'


def tables(rows: list[Row], args: argparse.Namespace) -> str:
    if not args.tables:
        return table(rows, args.rows, args.columns)
    parts = []
    for name in labels(rows, args.tables):
        some = [row for row in rows if row.label(args.tables) == name]
        parts.append(f'{name}:\n\n{table(some, args.rows, args.columns)}')
    return '\n'.join(parts)


def plot(rows: list[Row], args: argparse.Namespace) -> str:
    measured = [row for row in rows if row.ratio]
    if not measured:
        raise SystemExit('benchreport: no row here has a limit')
    bars = {(row.label(args.groups), row.label(args.series)): row.ratio
            for row in reversed(measured)}
    limits = ' or '.join(dict.fromkeys(row.limit for row in measured))
    return barplot.draw(args.title or f'times the {limits}',
                        labels(measured, args.groups),
                        labels(measured, args.series), bars)


def key_list(text: str) -> list[str]:
    keys = text.split(',')
    if not set(keys) <= set(KEYS):
        raise argparse.ArgumentTypeError(f'keys are {", ".join(KEYS)}')
    return keys


def condition(text: str) -> str:
    key_list(text.partition('=')[0])
    return text


def parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    kinds = parser.add_subparsers(dest='kind', required=True)
    for kind in ('table', 'plot'):
        sub = kinds.add_parser(kind)
        sub.add_argument('files', nargs='+')
        sub.add_argument('--only', type=condition, action='append', default=[])
        sub.add_argument('-o', '--output')
        if kind == 'table':
            sub.add_argument('--tables', type=key_list)
            sub.add_argument('--rows', type=key_list, default=['job', 'who'])
            sub.add_argument('--columns', type=key_list,
                             default=['format', 'size'])
        else:
            sub.add_argument('--groups', type=key_list, default=['job'])
            sub.add_argument('--series', type=key_list, default=['who'])
            sub.add_argument('--title')
    return parser.parse_args(argv)


def main(argv: list[str]) -> int:
    args = parse(argv)
    rows = choose(read_rows(args.files), args.only)
    text = tables(rows, args) if args.kind == 'table' else plot(rows, args)
    if args.output:
        with open(args.output, 'w', encoding='utf-8') as file:
            file.write(text)
    else:
        print(text, end='')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
