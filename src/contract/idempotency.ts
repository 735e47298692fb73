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
      'x-expected': 'visible ASCII characters without spaces',
      description:
        'Makes the create safe to repeat: for at least 24 hours, your requests with the same key and the same body create ' +
        'nothing more and get the first response again, as long as you may read what was created. Use a new random ' +
        'key for each create. You can repeat a create that failed with the same key. A repetition is refused, ' +
        'and names what was created, if your responses with keys take too much space.',
    }),
  ),
});

/** The problems that a request with a key can have. */
export const idempotencyProblems = ['idempotency_key_in_use', 'idempotency_key_reused'] as const;
