import express from 'express';
import type { Router } from 'express';
import type { Environment } from '../../domain/session.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import type { Operation } from '../operation.ts';
import { serveOperation } from '../serve-operation.ts';
import { retrieveCredentials, revokeApiKey, rotateApiKey } from './credentials.ts';
import { logIn } from './login.ts';
import { createSdkToken, listSdkTokens, updateSdkToken } from './sdk-tokens.ts';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks.ts';

/** The merchant portal of one environment (§4.9 to §4.17, §5), relative to its base address. */
export function portalRoutes(parts: SandboxParts, environment: Environment): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const serve = <Input>(operation: Operation<Input>): void => {
    router[operation.method](operation.path, serveOperation(parts, environment, operation));
  };
  serve(logIn(parts));
  serve(listWebhooks(parts));
  serve(createWebhook(parts));
  serve(updateWebhook(parts));
  serve(deleteWebhook(parts));
  serve(retrieveCredentials(parts));
  serve(rotateApiKey(parts));
  serve(revokeApiKey(parts));
  serve(listSdkTokens(parts));
  serve(createSdkToken(parts));
  serve(updateSdkToken(parts));
  return router;
}
