import { GatewayError, type GatewayClient, type GatewayProfile } from '../src/index.ts';
import { callOf, oddClientOf } from './gateway-calls.ts';
import { askingInputs, changingInputs } from './operation-inputs.ts';
import { ScriptedGateway, sendJson, statusAnswer, statusRow } from './scripted-gateway.ts';

const inputs = { ...changingInputs, ...askingInputs };
const silent = (): void => undefined;

/** A scripted gateway and a client of it, for tests of what the client counts as unexpected. */
export class CountedGateway {
  readonly gateway: ScriptedGateway;
  readonly client: GatewayClient;
  /** The warnings that the client logged, but for failed calls. */
  readonly lines: { readonly fields: object; readonly message: string }[] = [];

  private constructor(gateway: ScriptedGateway, profile?: GatewayProfile) {
    this.gateway = gateway;
    const warn = (fields: object, message: string): void => {
      if (message !== 'a call to the gateway failed') this.lines.push({ fields, message });
    };
    const logger = { info: silent, error: silent, warn };
    const portal = { username: 'noura', password: 'a password' };
    this.client = oddClientOf(gateway.origin, { portal, logger, profile });
  }

  static async start(profile?: GatewayProfile): Promise<CountedGateway> {
    return new CountedGateway(await new ScriptedGateway().start(), profile);
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.gateway.close();
  }

  /** Answers everything but the login. */
  answer(status: number, body: unknown): void {
    this.gateway.script = (request, response) =>
      request.path.endsWith('/auth/login')
        ? this.gateway.answerUsually(request, response)
        : sendJson(response, status, body);
  }

  /** Makes a call. @returns the code of its error, `null` where it succeeds. */
  async call(operation: string): Promise<string | null> {
    try {
      await callOf(this.client, operation, inputs[operation]);
      return null;
    } catch (error) {
      if (error instanceof GatewayError) return error.code;
      throw error;
    }
  }

  /** What was counted, each as `operation kind field count`. */
  seen(): readonly string[] {
    return this.client
      .drift()
      .map(({ operation, kind, field, count }) => `${operation} ${kind} ${field} ${count}`);
  }
}

/** A status answer with one row that is changed. */
export const answerWith = (changes: object): object => statusAnswer([statusRow({ ...changes })]);
