import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Folder } from '#contract/records/folders.ts';
import { foldersIn, foldersTo, pathText, targetsOf } from './tree.ts';

const folder = (id: string, parentId?: string, access: Folder['access'] = 'edit'): Folder => ({
  id,
  organizationId: 'o',
  ...(parentId !== undefined && { parentId }),
  name: id.toUpperCase(),
  userId: 'u',
  personal: false,
  restricted: false,
  access,
  createdAt: '',
  updatedAt: '',
});

const folders = [folder('c', 'b'), folder('b', 'a'), folder('a'), folder('d', 'a', 'view')];

test('a folder has a path and folders in it', () => {
  assert.equal(pathText(folders, 'c'), 'A / B / C');
  assert.equal(pathText(folders, 'hidden'), '');
  assert.equal(pathText(folders, undefined), '');
  const ids = (list: readonly Folder[]) => list.map(({ id }) => id);
  assert.deepEqual(ids(foldersIn(folders, 'a')), ['b', 'd']);
  assert.deepEqual(ids(foldersIn(folders, undefined)), ['a']);
});

test('a path ends although folders are in each other', () => {
  const cycle = [folder('a', 'b'), folder('b', 'a')];
  assert.equal(foldersTo(cycle, 'a').length, 2);
});

test('things are moved to folders that you can edit, but no folder into itself', () => {
  assert.deepEqual(targetsOf(folders), [
    { id: 'a', path: 'A' },
    { id: 'b', path: 'A / B' },
    { id: 'c', path: 'A / B / C' },
  ]);
  assert.deepEqual(targetsOf(folders, 'b'), [{ id: 'a', path: 'A' }]);
});
