import { join } from 'node:path';
import type { Sandbox } from '@pay-button/gateway-sandbox';
import type { GatewayClientOptions } from '@pay-button/server-helper';
import { textsIn } from '../texts/language.ts';
import { portError } from './http-server.ts';
import { SettingError, type Settings } from './settings.ts';

/** The gateway that the shop talks to. */
interface GatewayAccess {
  readonly options: GatewayClientOptions;
  /** Origins of its pages, as `form-action` sources. */
  readonly pageOrigins: readonly string[];
  /** `null` when this process started none. */
  readonly sandbox: Sandbox | null;
  close(): Promise<void>;
}

/** Takes the gateway that the settings name, or starts the sandbox. */
export async function openGateway(settings: Settings): Promise<GatewayAccess> {
  const { gateway, sandboxPort, dataFolder } = settings;
  if (gateway !== undefined) {
    return {
      options: gateway,
      // A gateway may show its pages on another host than its API; only that they are https is known.
      pageOrigins: [new URL(gateway.baseUrl).origin, 'https:'],
      sandbox: null,
      close: async () => undefined,
    };
  }
  // Loaded only here: a shop with a real gateway has no stand-in in its memory.
  const { SandboxError, startSandbox } = await import('@pay-button/gateway-sandbox');
  try {
    const data = join(dataFolder, 'sandbox');
    const merchant = { en: textsIn.en.shopName, ar: textsIn.ar.shopName };
    const sandbox = await startSandbox({ port: sandboxPort, data, merchant });
    return {
      options: {
        environment: 'staging',
        baseUrl: sandbox.baseUrl,
        apiKey: sandbox.apiKey,
        portal: sandbox.portal,
      },
      pageOrigins: [new URL(sandbox.url).origin],
      sandbox,
      close: () => sandbox.close(),
    };
  } catch (error) {
    if (!(error instanceof SandboxError)) throw portError(error, 'SANDBOX_PORT', sandboxPort);
    if (error.code === 'port_busy') throw portError(error.cause, 'SANDBOX_PORT', sandboxPort);
    throw new SettingError(
      `The sandbox cannot start: ${error.message} A shop with GATEWAY_BASE_URL and GATEWAY_API_KEY starts none.`,
      { cause: error },
    );
  }
}
