import { sqliteStore, type EventHandlers } from '@pay-button/server-helper';
import mysql, { type ResultSetHeader } from 'mysql2/promise';

/** The payments stay in a file beside the shop's own database. */
export const store = sqliteStore({ file: '.data/payments.db' });
const pool = mysql.createPool(process.env['MYSQL_URL'] ?? '');

export const on: EventHandlers = {
  /** CREATE TABLE handled_events (id varchar(400) COLLATE utf8mb4_bin PRIMARY KEY); */
  paid: async ({ id, orderId }) => {
    const connection = await pool.getConnection();
    try {
      await connection.beginTransaction();
      const first = 'INSERT IGNORE INTO handled_events (id) VALUES (?)';
      const [{ affectedRows }] = await connection.execute<ResultSetHeader>(first, [id]);
      // The same event may come twice: the second time its row is there already.
      if (affectedRows === 1) {
        await connection.execute('INSERT INTO shipments (order_id) VALUES (?)', [orderId]);
      }
      await connection.commit();
    } catch (error) {
      await connection.rollback();
      throw error; // The kit calls again, later.
    } finally {
      connection.release();
    }
  },
};
