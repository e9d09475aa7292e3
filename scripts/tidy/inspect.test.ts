import { expect, it } from 'vitest';
import { fixtureTree } from '../check/testing/fixture-tree.ts';
import { houseFiles } from './house-files.ts';
import { inspect } from './inspect.ts';

const found = (text: string, path = 'src/a.ts') => inspect([{ path, text }]);
const lines = (count: number) => 'const a = 1;\n'.repeat(count);

it('names file, line, rule and advice for each broken rule of a folder, and skips what is foreign', () => {
  const top = fixtureTree({
    'src/utils.ts': '',
    'src/pay.test.ts': "\nit.only('pays an order', () => {});\n",
    'dist/utils.js': '',
    'node_modules/utils.js': '',
  });
  expect(inspect(houseFiles(top))).toEqual([
    expect.stringMatching(/^src\/pay\.test\.ts:2 {2}words: "it\.only\(": /),
    expect.stringMatching(/^src\/utils\.ts:1 {2}file-name: /),
  ]);
});

it('a file has at most 500 lines, and a document as many as its subject needs', () => {
  expect(found(lines(500))).toEqual([]);
  expect(found(lines(501))[0]).toContain('src/a.ts:501  file-length: 501 lines');
  expect(found(lines(900), 'docs/guide.md')).toEqual([]);
});

it.each([
  ['a/common.css', 'says nothing'],
  ['src/types.test.ts', 'says nothing'],
  ['src/PayButton.ts', 'kebab-case'],
  ['docs/my_guide.md', 'kebab-case'],
])('the name %s is refused, since it %s', (path, advice) => {
  expect(found('', path)).toEqual([expect.stringContaining(advice)]);
});

it.each([
  ['the user pays', 'shopper'],
  ['a buyer', 'shopper'],
  ['create a checkout link', 'payment link'],
  ['your payment provider', 'gateway'],
  ['a mock gateway', 'sandbox'],
  ['in test mode', 'staging'],
  ['a 3DS page', '3-D Secure'],
  ['to authorise it', 'authorize'],
  ['the callback URL', 'webhook'],
  ['a whitelist of hosts', 'allow list'],
  ['// TODO: later', 'do it now'],
  ["open('/home/me/shop.db')", 'path of one machine'],
])('"%s" is refused in code and documents, with the advice "%s"', (text, advice) => {
  for (const path of ['src/a.ts', 'docs/guide.md']) {
    expect(found(`\n\n${text}`, path)).toEqual([expect.stringContaining(advice)]);
    expect(found(`\n\n${text}`, path)[0]).toContain(`${path}:3 `);
  }
});

const calls = ['it.only', 'describe.skip', 'test.describe.only', 'test.fixme', 'it.skipIf', 'xit'];
it.each(calls)('no test is left out by %s', (call) => {
  expect(found(`${call}('the name of it', f)`, 'e2e/a.test.ts')).toHaveLength(1);
  const others = `stream.skip(3); ${call.replace('.', '_')}s('a', f)`;
  expect(found(others, 'e2e/a.test.ts')).toEqual([]);
});

it('the name of a test is a sentence', () => {
  for (const name of ["'works'", '`refund ok`', "'1001 paid'"]) {
    expect(found(`it(${name}, f);`, 'src/a.test.ts')).toEqual([expect.stringContaining('no sent')]);
    expect(found(`it(${name}, f);`, 'src/a.ts')).toEqual([]);
  }
  // oxlint-disable-next-line no-template-curly-in-string -- the source of another file
  const good = ["it('refuses a refund', f);", 'it(`refuses ${amount}`, f);', "it(name, 'a');"];
  for (const text of good) expect(found(text, 'src/a.test.ts')).toEqual([]);
});

const pin = '34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1';
const sound = `on: [push]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@${pin}
      - run: .ci/run
`;

const nameless = ['permissions:\n  contents: read\n', ''];
const publishing = ['contents: read', 'id-token: write'];
it.each([
  ['an action by its tag', [pin, 'v4'], '8  words: "uses: actions/checkout@v4": pin the action'],
  ['an action without a word on its version', [' # v4.3.1', ''], '8  words: '],
  ['a stranger’s change with our rights', ['push', 'pull_request_target'], '1  words: "pull_re'],
  ['rights without a name', nameless, '3  workflows: job test: say'],
  ['code of others where it may publish', publishing, '5  workflows: job test: may publish'],
])('a workflow is refused for %s', (_what, [before = '', after = ''], finding) => {
  expect(found(sound, '.github/workflows/ci.yml')).toEqual([]);
  const findings = found(sound.replace(before, after), '.github/workflows/ci.yml');
  expect(findings).toEqual([expect.stringContaining(`.github/workflows/ci.yml:${finding}`)]);
});
