import { json, type RequestHandler } from 'express';
import { bodyFields } from '../admin/body-fields.ts';

/**
 * Takes webhooks of declines and of challenges under way without asking about them: the shopper may
 * try another card a second later, and after a look the kit waits five seconds before the next. The
 * return, the watch and every other webhook still make it look.
 */
export const patience: readonly RequestHandler[] = [
  // What is no JSON is the kit's to answer: it reads a body that nobody has read yet.
  json({ limit: '64kb', type: (request) => request.headers['x-sandbox-delivery'] !== undefined }),
  (request, response, next) => {
    const isSandbox = request.headers['x-sandbox-delivery'] !== undefined;
    const isNews = /^approved$/i.test(bodyFields(request.body).text('status'));
    if (isSandbox && !isNews) response.status(200).json({});
    else next();
  },
];
