import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Closes the socket once everything is sent. The driver would wait for the server to close it: for ever, on a dead
 * network.
 */
export function destroySoon(client: pg.Client): void {
  // Sound because the driver opens no other kind of stream unless it is given one.
  (client.connection.stream as Socket).destroySoon();
}
