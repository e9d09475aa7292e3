import { messagesOf, parseJson } from '../../gateway/envelope.ts';
import { TransportError, type Transport, type TransportRequest } from '../../gateway/transport.ts';

/** A request as a step asks it; the path is below the base URL. */
export interface Question {
  readonly method: TransportRequest['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the gateway said, or why it said nothing. */
export interface Answer {
  /** The HTTP status; 0 where there is no answer. */
  readonly status: number;
  readonly body: unknown;
  /** Words of the gateway; they must be cleaned before they are shown. */
  readonly messages: readonly string[];
}

/** How many questions in a row may stay without an answer before the run ends. */
const MOST_SILENCES = 2;

/** The gateway does not answer, so that no further question is sent. */
export class GatewaySilent extends Error {
  override readonly name = 'GatewaySilent';
}

/**
 * Asks the gateway as the client would, without refusing or hiding what comes back. Every question
 * has a deadline and is sent once.
 */
export class GatewayLine {
  readonly #transport: Transport;
  readonly #basePath: string;
  readonly #timeoutMs: number;
  #silences = 0;
  /** Whether any answer was a 429. */
  wasLimited = false;

  constructor(transport: Transport, basePath: string, timeoutMs: number) {
    this.#transport = transport;
    this.#basePath = basePath;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws {@link GatewaySilent} after several questions in a row without an answer. */
  async ask({ method, path, query, body, headers }: Question): Promise<Answer> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    try {
      const { status, body: text } = await this.#transport.send({
        method,
        path: `${this.#basePath}${path}${search}`,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal,
      });
      this.#silences = 0;
      if (status === 429) this.wasLimited = true;
      const read = parseJson(text);
      return { status, body: read, messages: messagesOf(read) };
    } catch (error) {
      if (!signal.aborted && !(error instanceof TransportError)) throw error;
      this.#silences += 1;
      const why = signal.aborted ? 'no answer in time' : (error as TransportError).message;
      if (this.#silences >= MOST_SILENCES) throw new GatewaySilent(why);
      return { status: 0, body: undefined, messages: [why] };
    }
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status <= 299;

/** Whether an address or a method is unknown to the gateway. */
export const isNoRoute = ({ status }: Answer): boolean => status === 404 || status === 405;

/** Whether the gateway found a mistake in the fields of a request. */
export const isInvalid = ({ status }: Answer): boolean => status === 400 || status === 422;

/** The envelope of an answer (§4), in words. */
export function envelopeOf({ body }: Answer): string {
  if (!isFields(body)) return Array.isArray(body) ? 'a list' : 'no JSON object';
  if ('responseBody' in body) return 'envelope C';
  if ('errorCode' in body || ('code' in body && 'data' in body)) return 'envelope A';
  if ('statusCode' in body) return 'envelope B';
  return 'no envelope';
}

/** An answer's status and envelope, in words. */
export const toldOf = (answer: Answer): string =>
  answer.status === 0 ? 'no answer' : `HTTP ${answer.status}, ${envelopeOf(answer)}`;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What kind of value a field bears, without the value. */
export function formOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'string') return `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`;
  if (UUID.test(value)) return 'a UUID';
  if (/^\d+\.\d\d$/.test(value)) return 'a text with two decimals';
  return /^\d+$/.test(value) ? 'a text of digits' : 'a text';
}

/** A name from the gateway that may be shown and written into a profile. */
export const isPlainName = (name: string): boolean => /^[A-Za-z0-9_.$-]{1,40}$/.test(name);
