import {
  createGatewayClient,
  type GatewayClient,
  type GatewayClientOptions,
  GatewayError,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
} from '../../index.ts';
import { isFields, messagesOf, parseJson, statusIn } from '../../parts.ts';

/** The gateway's answer as it came, or the reason why there is none. */
export interface Answer {
  readonly path: string;
  /** The HTTP status; 0 where there is no answer. */
  readonly status: number;
  readonly body: unknown;
  /** Words of the gateway; they must be cleaned before they are shown. */
  readonly messages: readonly string[];
}

/** A call of this kit's client: the answer as it came, and the value or the error that came of it. */
export interface Asked<Value> {
  readonly answer: Answer;
  readonly value?: Value;
  readonly error?: GatewayError;
}

/** How many questions in a row may stay without an answer before the run ends. */
const MOST_SILENCES = 2;

const KEY_FIX = 'Take it from the dashboard of this environment: Settings, API Credentials.';
const SILENCE_FIX = 'Check GATEWAY_BASE_URL, and whether this machine reaches it.';

/** No further question is sent: the gateway is silent or refuses the key, or a person stops the run. */
export class ContactEnded extends Error {
  readonly wasStopped: boolean;

  constructor(why: string, wasStopped = false) {
    super(why);
    this.wasStopped = wasStopped;
  }
}

/** The options of the client; it asks with one key. */
type LineOptions = GatewayClientOptions & { readonly apiKey: string; readonly timeoutMs: number };

/** Asks the gateway by this kit's own client, and keeps each answer as it came. */
export class GatewayLine {
  readonly #transport: Transport;
  readonly #basePath: string;
  readonly #options: LineOptions;
  /** The client under the profile in use. It holds the portal's token, so it is one for the run. */
  readonly #client: GatewayClient;
  #last = noAnswer();
  #interruption = new AbortController();
  #silences = 0;
  wasAnswered = false;
  wasLimited = false;

  constructor(transport: Transport, basePath: string, options: LineOptions) {
    this.#transport = transport;
    this.#basePath = basePath;
    this.#options = options;
    this.#client = this.#clientWith({});
  }

  /**
   * Asks by the client.
   *
   * @param changes - Another profile than the one in use, or another key.
   * @throws {@link ContactEnded} where no further question makes sense.
   */
  async ask<Value>(
    take: (client: GatewayClient) => Promise<Value>,
    changes?: Pick<Partial<GatewayClientOptions>, 'profile' | 'apiKey'>,
  ): Promise<Asked<Value>> {
    this.#last = noAnswer();
    try {
      const value = await take(changes === undefined ? this.#client : this.#clientWith(changes));
      return { answer: this.#answer(), value };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return { answer: this.#answer(), error };
    }
  }

  /** Sends what the client refuses to send, to see how the gateway refuses it. */
  async post(path: string, fields: object): Promise<Answer> {
    const { apiKey, timeoutMs } = this.#options;
    await this.#send({
      method: 'POST',
      path: `${this.#basePath}${path}`,
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify(fields),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      if (error instanceof ContactEnded) throw error;
    });
    return this.#answer();
  }

  checkOpen(): void {
    if (this.#interruption.signal.aborted) throw new ContactEnded('a person stopped it.', true);
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

  #clientWith(changes: Partial<GatewayClientOptions>): GatewayClient {
    const transport: Transport = { send: (request) => this.#send(request), close: async () => {} };
    const usual = { breaker: false, random: () => 0, transport } as const;
    return createGatewayClient({ ...this.#options, ...usual, ...changes });
  }

  async #send(request: TransportRequest): Promise<TransportAnswer> {
    const path = request.path.slice(this.#basePath.length).replace(/\?.*/, '');
    const signal = AbortSignal.any([request.signal, this.#interruption.signal]);
    const answer = await this.#transport.send({ ...request, signal }).catch((error: unknown) => {
      this.checkOpen();
      const isLate = request.signal.aborted;
      this.#last = noAnswer(path, isLate ? 'no answer in time' : (error as Error).message);
      throw error;
    });
    const { status } = answer;
    const body = parseJson(answer.body);
    this.wasAnswered = true;
    this.wasLimited ||= status === 429;
    this.#last = { path, status, body, messages: messagesOf(body) };
    if (status !== 401 || request.headers['x-api-key'] !== this.#options.apiKey) return answer;
    const seen = summaryOf(this.#last);
    throw new ContactEnded(`the gateway refuses GATEWAY_API_KEY (${seen}). ${KEY_FIX}`);
  }

  /** The answer to a question; the second one in a row without any ends the run. */
  #answer(): Answer {
    const { path, status, messages } = this.#last;
    const isSilent = path !== '' && status === 0;
    this.#silences = isSilent ? this.#silences + 1 : 0;
    if (this.#silences < MOST_SILENCES) return this.#last;
    throw new ContactEnded(`${messages.join(' ')}. ${SILENCE_FIX}`);
  }
}

const noAnswer = (path = '', why = ''): Answer => ({
  path,
  status: 0,
  body: null,
  messages: why === '' ? [] : [why],
});

/** What an answer says, whether by its status or, in a 200, by its body. */
const saidBy = ({ status, body }: Answer): number => statusIn(status, body);

export const isSuccess = (answer: Answer): boolean => Math.floor(saidBy(answer) / 100) === 2;

/** Whether an address or a method is unknown to the gateway. */
export const isNoRoute = (answer: Answer): boolean => [404, 405].includes(saidBy(answer));

/** Whether the gateway found a mistake in the fields of a request. */
export const isInvalid = (answer: Answer): boolean => [400, 422].includes(saidBy(answer));

/** Whether there is no answer, or one about the moment or the caller alone. */
export const saysNothing = (answer: Answer): boolean =>
  answer.status === 0 || saidBy(answer) >= 500 || [401, 403, 429].includes(saidBy(answer));

/** The envelope of an answer (§4), in words. */
export function envelopeOf({ body }: Answer): string {
  if (!isFields(body)) return Array.isArray(body) ? 'a list' : 'no JSON object';
  if ('responseBody' in body) return 'envelope C';
  if ('errorCode' in body || ('code' in body && 'data' in body)) return 'envelope A';
  if ('statusCode' in body) return 'envelope B';
  return 'no envelope';
}

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
