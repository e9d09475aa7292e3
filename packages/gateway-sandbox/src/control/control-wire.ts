/** The target of a control client's calls. */
export interface ControlClientOptions {
  /**
   * The tenant of the calls.
   * @defaultValue 'default', the first tenant
   */
  readonly tenant?: string;
  /** The token that a sandbox asks for when it is bound wider than loopback. */
  readonly token?: string;
}

/** One call of the control API; the path is relative to `/_sandbox/v1`. */
type WithoutBody = <Answer>(path: string) => Promise<Answer>;
type WithBody = <Answer>(path: string, body?: object) => Promise<Answer>;

/** The control API as HTTP. */
export interface ControlWire {
  readonly get: WithoutBody;
  readonly remove: WithoutBody;
  readonly post: WithBody;
  readonly patch: WithBody;
  readonly put: WithBody;
}

export function controlWire(url: string, options: ControlClientOptions): ControlWire {
  const base = `${url.replace(/\/$/, '')}/_sandbox/v1`;
  const named = {
    'x-sandbox-tenant': options.tenant ?? 'default',
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
  };
  const withoutBody =
    (method: string): WithoutBody =>
    (path) =>
      call(base + path, { method, headers: named });
  const withBody =
    (method: string): WithBody =>
    (path, body = {}) =>
      call(base + path, {
        method,
        headers: { ...named, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
  return {
    get: withoutBody('GET'),
    remove: withoutBody('DELETE'),
    post: withBody('POST'),
    patch: withBody('PATCH'),
    put: withBody('PUT'),
  };
}

/** The sandbox and this client are one package of one version, so its answers are not re-checked. */
async function call<Answer>(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { ...init, redirect: 'error' });
  const body: unknown = await response.json();
  if (!response.ok) throw ControlError.fromProblem(response.status, body);
  return body as Answer;
}

/** The control API refused a call; `code` is the problem document's. */
export class ControlError extends Error {
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ControlError';
    this.status = status;
    this.code = code;
  }

  static fromProblem(status: number, problem: unknown): ControlError {
    const text = (name: string, otherwise: string): string => {
      const value: unknown =
        typeof problem === 'object' && problem !== null ? Reflect.get(problem, name) : null;
      return typeof value === 'string' ? value : otherwise;
    };
    return new ControlError(
      status,
      text('code', 'unreadable_answer'),
      text('detail', `The sandbox answered HTTP ${status}.`),
    );
  }
}
