import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundsOr } from '../../../../tests/support/rounds.ts';
import { chosenSeed, seededRandom, type SeededRandom } from '../../../../tests/support/seeded-random.ts';
import { findAttribute, findSchema, userSchema, type Attribute } from '../resources/schema.ts';
import { isObject, readResource, type Resource } from '../resources/values.ts';
import { ScimError } from './errors.ts';
import { applyPatch, readOperations } from './patch.ts';

const patchOf = (...operations: object[]): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
});

const enterprise = userSchema.extensions[0]?.id ?? '';
const names = [
  'userName',
  'NAME',
  'emails',
  'addresses',
  'active',
  'roles',
  'title',
  'externalId',
  'id',
  'meta',
];
const parts = ['value', 'type', 'primary', 'givenName', 'formatted', 'first', '__proto__', 'constructor', ''];
const filters = [
  'type eq "work"',
  'primary eq true',
  'value co "a" or not (type pr)',
  'a eq 1',
  'value',
  ')',
  '',
];
const prefixes = [
  '',
  `${enterprise}:`,
  'urn:ietf:params:scim:schemas:core:2.0:User:',
  'urn:x:',
  '__proto__.',
  ':',
];

/** Returns a path of parts that occur, in an order that mostly makes no sense. */
function randomPath(random: SeededRandom): string {
  const name = random.pick([...names, 'department', 'manager', ...parts]);
  const filter = random.pick(['', '', `[${random.pick(filters)}]`, '[', ']']);
  const part = random.pick(['', '', `.${random.pick(parts)}`, `.${random.pick(parts)}.value`]);
  return random.pick(prefixes) + name + filter + part;
}

function randomValue(random: SeededRandom): unknown {
  const text = random.pick(['work', 'True', 'a@example.com', '', 'x'.repeat(2_000), '\u0000']);
  return random.pick([
    text,
    true,
    17,
    null,
    [],
    { value: text, type: 'work', primary: 'True' },
    [{ value: text, primary: true }, { value: 'b', primary: true }, null, 'c'],
    { [randomPath(random)]: text, active: 'False' },
    random.config(),
  ]);
}

/** Fails unless every member of a resource is one of the schema, in its type. */
function assertOfSchema(resource: Resource): void {
  for (const [name, value] of Object.entries(resource)) {
    const extension = name.includes(':') ? findSchema(userSchema, name) : undefined;
    if (extension === undefined)
      assertOfAttribute(findAttribute(userSchema.core.attributes, name), value, name);
    else {
      assert.ok(isObject(value), name);
      for (const [part, inner] of Object.entries(value))
        assertOfAttribute(findAttribute(extension.attributes, part), inner, part);
    }
  }
}

function assertOfAttribute(attribute: Attribute | undefined, value: unknown, name: string): void {
  assert.equal(attribute?.name, name);
  if (attribute.multiValued === true) {
    assert.ok(Array.isArray(value) && value.length > 0, name);
    assert.ok(value.filter((entry) => isObject(entry) && entry['primary'] === true).length <= 1, name);
    for (const entry of value)
      assertOfAttribute({ ...attribute, multiValued: undefined } as never, entry, name);
  } else if (attribute.type === 'complex') {
    assert.ok(isObject(value), name);
    for (const [part, inner] of Object.entries(value))
      assertOfAttribute(findAttribute(attribute.subAttributes ?? [], part), inner, part);
  } else assert.equal(typeof value, attribute.type, name);
}

test('no path of a PATCH leads outside of the schema, and every refusal is one of the standard', () => {
  const seed = chosenSeed();
  const random = seededRandom(seed);
  let applied = 0;
  for (let round = 0; round < roundsOr(3_000); round += 1) {
    let resource = readResource(userSchema, {
      userName: 'ada@example.com',
      emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
      [enterprise]: { department: 'Sales' },
    });
    const operations = Array.from({ length: random.integer(1, 4) }, () => ({
      op: random.pick(['add', 'Add', 'replace', 'REPLACE', 'remove', 'move']),
      ...(random.integer(1, 5) > 1 && { path: randomPath(random) }),
      value: randomValue(random),
    }));
    const what = `seed ${seed}: ${JSON.stringify(operations).slice(0, 500)}`;
    try {
      resource = applyPatch(userSchema, resource, readOperations(patchOf(...operations)));
      applied += 1;
    } catch (error) {
      assert.ok(error instanceof ScimError && error.status === 400, `${what}: ${String(error)}`);
    }
    assertOfSchema(resource);
    assert.deepEqual(Object.keys(Object.prototype), []);
  }
  assert.ok(applied > 0);
});

test('values are added once, and the last primary value is the only one', () => {
  const value = [{ type: 'home', value: 'home@example.com', primary: true }];
  const before = { userName: 'a', emails: [{ type: 'work', value: 'work@example.com', primary: true }] };
  const after = applyPatch(
    userSchema,
    before,
    readOperations(patchOf({ op: 'add', path: 'emails', value }, { op: 'add', path: 'emails', value })),
  );
  assert.deepEqual(after, {
    userName: 'a',
    emails: [
      { type: 'work', value: 'work@example.com', primary: false },
      { type: 'home', value: 'home@example.com', primary: true },
    ],
  });
});

test('a value without a path counts as an operation for each of its paths', () => {
  const value = Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [`emails[type eq "${index}"].value`, 'a@example.com']),
  );
  const apply = (...values: object[]) =>
    applyPatch(
      userSchema,
      { userName: 'a' },
      readOperations(patchOf(...values.map((entry) => ({ op: 'add', value: entry })))),
    );
  assert.throws(() => apply(value, value), { name: 'ScimError', scimType: 'tooMany' });
  assert.throws(() => apply({ [enterprise]: { department: 'a', DEPARTMENT: 'b' } }), {
    scimType: 'invalidSyntax',
  });
  assert.throws(() => apply({ title: 'a', Title: 'b' }), { scimType: 'invalidSyntax' });
  assert.equal(apply({ title: 'a' }, { Title: 'b' })['title'], 'b');
});
