import { describe, expect, it } from 'vitest'
import type { AccessGrant } from '#contract/access.ts'
import { toLines, withGrant } from './access-picker.tsx'

const grant = (
  id: string,
  permission: AccessGrant['permission'],
  type: AccessGrant['principal_type'] = 'user',
): AccessGrant => ({
  principal_type: type,
  principal_id: id,
  permission,
})

describe('the rights of a thing', () => {
  it('show each person and group once, with the wider right', () => {
    const lines = toLines([
      grant('a', 'read'),
      grant('a', 'write'),
      grant('a', 'read', 'group'),
      grant('*', 'read'),
    ])
    expect(lines).toEqual([grant('a', 'write'), grant('a', 'read', 'group')])
  })

  it('give whoever may change something the right to read it too', () => {
    expect(withGrant([grant('b', 'read')], { type: 'user', id: 'a' }, 'write')).toEqual([
      grant('b', 'read'),
      grant('a', 'read'),
      grant('a', 'write'),
    ])
  })

  it('are narrowed and taken away without touching those of others', () => {
    const grants = [grant('a', 'read'), grant('a', 'write'), grant('a', 'read', 'group')]
    expect(withGrant(grants, { type: 'user', id: 'a' }, 'read')).toEqual([
      grant('a', 'read', 'group'),
      grant('a', 'read'),
    ])
    expect(withGrant(grants, { type: 'user', id: 'a' }, null)).toEqual([
      grant('a', 'read', 'group'),
    ])
  })
})
