import type { Sandbox } from '../start-sandbox.ts';
import { send } from './sandbox-for-test.ts';
import type { WireAnswer } from './sandbox-for-test.ts';

/** The merchant portal of a sandbox, with the token of one login. */
export class PortalForTest {
  readonly token: string;
  readonly #base: string;

  constructor(base: string, token: string) {
    this.#base = base;
    this.token = token;
  }

  static async logIn(
    { portal, baseUrl }: Pick<Sandbox, 'portal' | 'baseUrl'>,
    base = baseUrl,
  ): Promise<PortalForTest> {
    const { status, body } = await post(`${base}/auth/login`, portal);
    if (status !== 200) throw new Error(`The login was refused: ${JSON.stringify(body)}`);
    return new PortalForTest(base, (body as { accessToken: string }).accessToken);
  }

  /** Calls a route below `/merchant/account`. */
  call(method: string, path: string, body?: unknown): Promise<WireAnswer> {
    const url = `${this.#base}/merchant/account/${path}`;
    const headers = { authorization: `Bearer ${this.token}` };
    if (body === undefined) return send(url, { method, headers });
    const typed = { ...headers, 'content-type': 'application/json' };
    return send(url, { method, headers: typed, body: JSON.stringify(body) });
  }

  /** Calls a route and answers its body, which has to come with a success. */
  async answerOf<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.call(method, path, body);
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body as Body;
  }
}

export function post(url: string, body: unknown): Promise<WireAnswer> {
  const headers = { 'content-type': 'application/json' };
  return send(url, { method: 'POST', headers, body: JSON.stringify(body) });
}
