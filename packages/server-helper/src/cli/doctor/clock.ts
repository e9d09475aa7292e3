import { fine, helpOf, type Check } from './check.ts';

const ODD_MS = 30_000;
const WRONG_MS = 300_000;

/** This machine's clock against the gateway's, which its answers bear. */
export const checkClock: Check = {
  id: 'clock',
  title: 'Clock',
  needs: ['network', 'gateway'],
  async run({ gatewayTime }) {
    if (gatewayTime === null) {
      return [
        {
          status: 'unchecked',
          code: 'not_checked',
          what: 'Not checked.',
          why: 'The gateway gave no answer with a date.',
          fix: 'Mend the connection to the gateway first.',
          help: helpOf('clock'),
        },
      ];
    }
    // The header counts whole seconds, so half a second is its own.
    const skew = gatewayTime.told + 500 - gatewayTime.heardAt;
    const seconds = Math.round(Math.abs(skew) / 1_000);
    if (Math.abs(skew) <= ODD_MS)
      return [fine(`within ${Math.max(1, seconds)} s of the gateway’s`)];
    return [
      {
        status: Math.abs(skew) > WRONG_MS ? 'wrong' : 'odd',
        code: 'clock_skew',
        what: `This machine’s clock is ${seconds} s ${skew > 0 ? 'behind' : 'ahead of'} the gateway’s.`,
        why: 'When to look at payments, and when links end, would be misjudged.',
        fix: 'Let the machine keep time by NTP.',
        help: helpOf('clock'),
      },
    ];
  },
};
