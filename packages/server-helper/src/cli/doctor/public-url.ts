import { fine, helpOf, type Check, type CheckResult } from './check.ts';
import { ask, isProblem, shopAddress, type ShopAnswer } from './shop-request.ts';

/** Whether the shop answers at its own public address, and what its health says. */
export const checkPublicUrl: Check = {
  id: 'public-url',
  title: 'Public URL',
  needs: ['network', 'publicUrl'],
  async run({ settings }) {
    const url = shopAddress(settings, '/health');
    const answer = await ask(url);
    if (typeof answer === 'string') return [unreachable(url, answer)];
    const status = answer.json['status'];
    if (status === 'ok') return [fine(`${url} answers, release ${String(answer.json['version'])}`)];
    if (status === 'degraded') return [degraded(answer)];
    if (status === 'unavailable') {
      return [
        {
          status: 'wrong',
          code: 'store_unavailable',
          what:
            answer.json['store'] === 'not_writable'
              ? 'The shop answers, and says that it cannot write to its store.'
              : 'The shop answers, and says that it cannot reach its store.',
          why: 'No payment can be started or recorded while this lasts.',
          fix: 'Look at the database, and at the shop’s DATABASE_URL and log.',
          help: helpOf('public-url'),
        },
      ];
    }
    return [notOurs(url, answer)];
  },
};

function unreachable(url: string, reason: string): CheckResult {
  return {
    status: 'wrong',
    code: 'public_url_unreachable',
    what: `${url} cannot be reached from here (${reason}).`,
    why: 'Shoppers who have paid come back to addresses below PUBLIC_URL, and webhooks go there.',
    fix: 'Start the shop; check name, certificate and proxy. If this machine may not reach it, run the doctor from elsewhere.',
    help: helpOf('public-url'),
  };
}

function degraded({ json }: ShopAnswer): CheckResult {
  const findings = Array.isArray(json['findings']) ? json['findings'].map(String) : [];
  return {
    status: 'odd',
    code: 'shop_degraded',
    what: `The shop takes payments, and says: ${findings.join(', ')}.`,
    why: 'Something waits that should not, or needs a person.',
    fix: 'Look each word up; is payments.start() called, or payments.tick() from cron?',
    help: helpOf('health'),
  };
}

function notOurs(url: string, { status, json }: ShopAnswer): CheckResult {
  if (isProblem(json, 'mount_mismatch')) {
    return {
      status: 'wrong',
      code: 'mount_mismatch',
      what: 'The router is mounted at another path than its option mountPath says.',
      why: 'The addresses that shoppers come back to would lead nowhere.',
      fix: 'Let app.use and the option mountPath name the same path.',
      help: 'docs/errors.md#mount_mismatch',
    };
  }
  return {
    status: 'wrong',
    code: 'router_not_found',
    what: `${url} answers HTTP ${status}, and not as the payments router does.`,
    why: 'The router is not mounted there, or something before it answers.',
    fix: 'Mount it before any catch-all route, and give --mount if it is not /pay. A shop that renamed its health route, or left it out, cannot be checked this way.',
    help: helpOf('public-url'),
  };
}
