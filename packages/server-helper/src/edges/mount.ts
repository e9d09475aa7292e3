import { ConfigurationError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Wiring } from '../options/wiring.ts';
import type { Answer, EdgeRequest } from './http.ts';
import { isProblem, problem } from './problem.ts';
import type { RouteName } from './routes.ts';

/**
 * Routes whose requests bear what this shop handed out, or only a hint: a shopper who has paid and reaches
 * the router is answered there, wherever it is mounted.
 */
const answeredAnywhere: ReadonlySet<RouteName> = new Set(['return', 'status', 'webhook']);

/** Routes that say how the process is, which no shopper meets. */
const saysHow: ReadonlySet<RouteName> = new Set(['health', 'live', 'ready']);

const ANSWER_WITHIN_MS = 2_000;

/** How long after a wrong answer the question is asked again, so that a mended proxy is noticed. */
const ASK_AGAIN_AFTER_MS = 10_000;

/**
 * Makes the check that a payment's return addresses lead to this router, before a link is made. The
 * mount of a request is `mountPath`, or the router's whole public path. A shop below a path that is
 * met at `mountPath` needs a proxy that takes the path off; whether there is one is asked once.
 */
export function createMountCheck(wiring: Wiring, now: () => number, logger: Logger) {
  const { mountPath, publicMount, publicOrigin, routes } = wiring;
  const refusal = (why: string): Answer => {
    logger.error({ code: 'mount_mismatch' }, why);
    return problem('mount_mismatch', 'The shop’s payments are not set up correctly.');
  };
  const probe = `${routes.return}/success/probe`;
  const isLost = askedSometimes(
    async () =>
      (await whoAnswers(`${publicOrigin}${publicMount}${probe}`)) === 'another' &&
      (await whoAnswers(`${publicOrigin}${mountPath}${probe}`)) === 'the router',
    now,
  );
  const detail = `Shoppers would come back to ${publicOrigin}${publicMount}, where something else answers; the router answers at ${publicOrigin}${mountPath}. Mount it at "${publicMount}" and set mountPath to that, or let the proxy take "${wiring.shopPath}" off, or leave it out of publicUrl.`;
  return {
    /** The refusal of a request whose mount shows that the addresses lead nowhere. */
    ofRequest: async ({ mount }: EdgeRequest, route: RouteName): Promise<Answer | null> => {
      if (answeredAnywhere.has(route) || isSamePath(mount, publicMount)) return null;
      if (!isSamePath(mount, mountPath)) {
        return refusal(`The routes met a request at "${mount}", but mountPath is "${mountPath}".`);
      }
      return saysHow.has(route) || !(await isLost()) ? null : refusal(detail);
    },
    /** For a link without a request. @throws {@link ConfigurationError} `mount_mismatch`. */
    ofLink: async (): Promise<void> => {
      if (isSamePath(mountPath, publicMount) || !(await isLost())) return;
      throw new ConfigurationError('mount_mismatch', detail);
    },
  };
}

const isSamePath = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

/**
 * Keeps the answer `false`, and asks again some seconds after `true`. Requests that come meanwhile
 * wait for the same answer.
 */
function askedSometimes(ask: () => Promise<boolean>, now: () => number): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  let isAgainAt = Infinity;
  return () => {
    if (answer === undefined || now() >= isAgainAt) {
      isAgainAt = Infinity;
      answer = ask().then((isTrue) => {
        if (isTrue) isAgainAt = now() + ASK_AGAIN_AFTER_MS;
        return isTrue;
      });
    }
    return answer;
  };
}

/**
 * Who answers for an address of the return route with a token that is none of ours. A silence proves
 * nothing: not every server can reach its own public address.
 */
async function whoAnswers(url: string): Promise<'the router' | 'another' | 'nobody'> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const json: unknown = await response.json().catch(() => null);
    return isProblem(json) && json.code === 'not_found' ? 'the router' : 'another';
  } catch {
    return 'nobody';
  }
}
