import { Type } from 'typebox';

/**
 * The header of creates that a client may repeat when it doesn't know whether the first one arrived
 * (draft-ietf-httpapi-idempotency-key-header).
 */
export const IdempotencyKey = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]*$',
      'x-words': 'visible ASCII characters without spaces',
      description:
        'Makes the create safe to repeat: within 24 hours, a request of yours with the same key and the same body ' +
        'creates nothing more, and gets the first response again, as long as you may read what was created. Choose a ' +
        'new random key for each thing to create. A create that failed may be repeated with its key, too.',
    }),
  ),
});

/** What goes wrong with a key. */
export const idempotencyProblems = ['idempotency_key_in_use', 'idempotency_key_reused'] as const;
