import { describe, expect, it } from 'vitest';
import { workflows } from './workflows.ts';

const pin = '34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1';
const sound = `on: [push]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@${pin}
        with:
          persist-credentials: false
      - run: .ci/run
`;

const found = (text: string, path = '.github/workflows/ci.yml') =>
  workflows.check({ path, text }).map(({ line, message }) => `${line} ${message}`);

describe('the rule of workflows', () => {
  it('accepts a workflow with few rights, pinned actions and a time limit', () => {
    expect(found(sound)).toEqual([]);
  });

  it.each([
    ['an action by its tag', [pin, 'v4'], '9 pin the action'],
    ['an action without a word on its version', [' # v4.3.1', ''], '9 pin the action'],
    ['a job without an end', ['    timeout-minutes: 5\n', ''], '5 job test: say timeout-minutes'],
    ['a runner that changes', ['ubuntu-24.04', 'ubuntu-latest'], '5 job test: name the runner'],
    ['rights without a name', ['permissions:\n  contents: read\n', ''], '3 job test: say which'],
    [
      'a token left behind',
      ['credentials: false', 'credentials: true'],
      '5 job test: the checkout',
    ],
    [
      'an expression in a script',
      ['.ci/run', 'echo ${{ github.head_ref }}'],
      '5 job test: an expr',
    ],
    [
      'a stranger’s change with our rights',
      ['[push]', '[pull_request_target]'],
      '1 pull_request_t',
    ],
    [
      'a registry’s address',
      ['.ci/run', 'npm ci --registry=https://npm.example'],
      '5 job test: names a registry',
    ],
    [
      'code of others in a job that may publish',
      ['contents: read', 'id-token: write'],
      '5 job test: may publish, so it checks nothing out',
    ],
    [
      'a command of the project in a job that may publish',
      ['contents: read', 'id-token: write'],
      '5 job test: may publish, so it checks nothing out\n5 job test: may publish, so it runs nothing but npm publish',
    ],
    [
      'another job’s files where a job that may publish runs npm',
      ['- run: .ci/run', `- uses: actions/download-artifact@${pin}`],
      '5 job test: may publish, so what it downloads',
      'id-token: write',
    ],
    ['a job that is not there', ['steps:', 'needs: build\n    steps:'], '5 job test: needs build'],
  ])(
    'finds %s in a workflow',
    (_what, [before = '', after = ''], finding, rights = 'contents: read') => {
      const text = sound.replace(before, after).replace('contents: read', rights);
      expect(found(text).join('\n').slice(0, finding.length)).toBe(finding);
    },
  );

  it('checks workflows only', () => {
    expect(found('uses: x@v1', 'docs/x.yml')).toEqual([]);
  });
});
