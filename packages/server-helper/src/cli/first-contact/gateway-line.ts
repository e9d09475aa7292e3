import { messagesOf, parseJson } from '../../gateway/meaning.ts';
import { type Fields, isFields } from '../../gateway/fields.ts';
import { type Transport, TransportError, type TransportRequest } from '../../gateway/transport.ts';

export { type Fields, isFields };

/** A request as a step asks it; the path is below the base URL. */
export interface Question {
  readonly method: TransportRequest['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Absent, the merchant's API key is sent. */
  readonly credential?: Readonly<Record<string, string>>;
}

/** The gateway's answer, or the reason why there is none. */
export interface Answer {
  /** The HTTP status; 0 where there is no answer. */
  readonly status: number;
  readonly body: unknown;
  /** Words of the gateway; they must be cleaned before they are shown. */
  readonly messages: readonly string[];
}

/** How many questions in a row may stay without an answer before the run ends. */
const MOST_SILENCES = 2;

const KEY_FIX = 'Take it from the dashboard of this environment: Settings, API Credentials.';
const SILENCE_FIX = 'Check GATEWAY_BASE_URL, and whether this machine reaches it.';

/** No further question is sent: the gateway is silent or refuses the key. */
export class ContactEnded extends Error {
  override readonly name: string = 'ContactEnded';
}

/** A person stops the run. */
export class ContactStopped extends ContactEnded {
  override readonly name = 'ContactStopped';
}

/**
 * Asks the gateway as the client would, without refusing or hiding what comes back. Every question
 * has a deadline and is sent once.
 */
export class GatewayLine {
  readonly #transport: Transport;
  readonly #basePath: string;
  readonly #apiKey: string;
  readonly #timeoutMs: number;
  #interruption = new AbortController();
  #silences = 0;
  /** Whether there was any answer. */
  wasAnswered = false;
  /** Whether any answer was a 429. */
  wasLimited = false;

  constructor(transport: Transport, basePath: string, apiKey: string, timeoutMs: number) {
    this.#transport = transport;
    this.#basePath = basePath;
    this.#apiKey = apiKey;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws {@link ContactEnded} where no further question makes sense. */
  async ask(question: Question): Promise<Answer> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const interruption = this.#interruption.signal;
    try {
      const { status, body: text } = await this.#transport.send({
        ...this.#requestOf(question),
        signal: AbortSignal.any([timeout, interruption]),
      });
      this.#silences = 0;
      this.wasAnswered = true;
      if (status === 429) this.wasLimited = true;
      const body = parseJson(text);
      const answer = { status, body, messages: messagesOf(body) };
      if (status !== 401 || question.credential !== undefined) return answer;
      throw new ContactEnded(
        `the gateway refuses GATEWAY_API_KEY (${summaryOf(answer)}). ${KEY_FIX}`,
      );
    } catch (error) {
      this.checkOpen();
      if (!timeout.aborted && !(error instanceof TransportError)) throw error;
      return this.#silence(timeout.aborted ? 'no answer in time' : (error as Error).message);
    }
  }

  /** @throws {@link ContactStopped} where a person has stopped the run. */
  checkOpen(): void {
    if (this.#interruption.signal.aborted) throw new ContactStopped('a person stopped it.');
  }

  /** Ends the question that is open, and refuses all later ones until {@link GatewayLine.resume}. */
  interrupt(): void {
    this.#interruption.abort();
  }

  /** Lets the last questions through, which take away what was made. */
  resume(): void {
    this.#interruption = new AbortController();
    this.#silences = 0;
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #silence(why: string): Answer {
    this.#silences += 1;
    if (this.#silences >= MOST_SILENCES) throw new ContactEnded(`${why}. ${SILENCE_FIX}`);
    return { status: 0, body: undefined, messages: [why] };
  }

  #requestOf({ method, path, query, body, credential }: Question) {
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    const headers = {
      accept: 'application/json',
      ...(credential ?? { 'x-api-key': this.#apiKey }),
    };
    const target = { method, path: `${this.#basePath}${path}${search}` };
    if (body === undefined) return { ...target, headers };
    const type = { 'content-type': 'application/json' };
    return { ...target, headers: { ...headers, ...type }, body: JSON.stringify(body) };
  }
}

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
export const summaryOf = (answer: Answer): string =>
  answer.status === 0 ? 'no answer' : `HTTP ${answer.status}, ${envelopeOf(answer)}`;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What kind of value a field has, without the value. */
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
