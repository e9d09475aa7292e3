import type { Request, RequestHandler } from 'express';
import { readCookie, setCookie } from '../http/cookies.ts';
import { type BugId, readBug } from './bugs.ts';

const COOKIE = 'shop_bug';
const COOKIE_DAYS = 1;

/** The switch that a visitor has turned on by `?bug=`. */
export function bugOf(request: Request): BugId | undefined {
  return readBug(request.query['bug']) ?? readBug(readCookie(request, COOKIE));
}

/** Takes `?bug=<id>` on any page; every other word turns it off. */
export const bugSwitch: RequestHandler = (request, response, next) => {
  const { bug } = request.query;
  if (typeof bug === 'string') setCookie(response, COOKIE, readBug(bug) ?? 'none', COOKIE_DAYS);
  next();
};
