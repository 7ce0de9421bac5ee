import { expect, test } from 'vitest'
import { DEFAULT_PERMISSIONS, type Permissions } from '#contract/permissions.ts'
import { BRANCHES, countAdded, isOn, permissionsOf, withPermission } from './permission-tree.ts'

const defaults: Permissions = DEFAULT_PERMISSIONS

test('every branch of the gateway is shown once', () => {
  expect([...BRANCHES].sort()).toEqual(Object.keys(DEFAULT_PERMISSIONS).sort())
})

test('a permission is changed without touching the others', () => {
  const changed = withPermission(defaults, 'chat.delete', false)
  expect(isOn(changed, 'chat.delete')).toBe(false)
  expect(isOn(changed, 'chat.edit')).toBe(true)
  expect(isOn(defaults, 'chat.delete')).toBe(true)
  expect(withPermission({}, 'workspace.models', true)).toEqual({ workspace: { models: true } })
})

test('only what a group has beyond the defaults counts as added', () => {
  expect(
    countAdded({ chat: { delete: true }, workspace: { models: true, prompts: false } }, defaults),
  ).toBe(1)
  expect(permissionsOf(defaults, 'settings')).toEqual(['settings.interface'])
})
