/**
 * Types of packages that a merchant may do without. Where one is not installed, its types are `any`,
 * and nothing of ours fails to compile, with `skipLibCheck: false` too: each comment below stands in
 * the published declarations.
 */

/** @ts-ignore A shop on SQLite has no pg. */
export type { ClientBase, Pool, PoolClient } from 'pg';
/** @ts-ignore A shop on SQLite has no pg. */
export type * as Pg from 'pg';
/** @ts-ignore A shop on SQLite has no mysql2. */
export type * as Mysql from 'mysql2/promise';
/** @ts-ignore A shop on another framework has no Express. */
export type { Request } from 'express';
/** @ts-ignore A shop without telemetry has no OpenTelemetry. */
export type * as Otel from '@opentelemetry/api';
