import { expect, it } from 'vitest'
import type { GroupRecord } from './group-record.ts'
import { Membership } from './membership.ts'

const MANY = 1000

const toGroup = (id: string): GroupRecord => ({
  id,
  user_id: null,
  name: `Group ${id}`,
  description: '',
  permissions: {},
  data: {},
  meta: {},
  created_at: 1,
  updated_at: 1,
})

/** Ada is in one of very many groups, Grace in all of them. */
function open() {
  const ids = Array.from({ length: MANY }, (_, place) => `group-${place}`)
  const reads: string[] = []
  const note = (read: string): void => void reads.push(read)
  const membership = new Membership({
    read: (id) => (note(`group ${id}`), ids.includes(id) ? toGroup(id) : undefined),
    readAll: () => (note('all groups'), ids.map(toGroup)),
    readIdsOf: (userId) => (
      note(`groups of ${userId}`),
      userId === 'grace' ? ids : userId === 'ada' ? ['group-7'] : []
    ),
    readMembersOf: (groupId) => (
      note(`members of ${groupId}`),
      groupId === 'group-7' ? ['ada', 'grace'] : ['grace']
    ),
  })
  return { membership, reads, ids }
}

it('reads of groups what a call needs, once', () => {
  const { membership, reads } = open()
  for (let calls = 0; calls < 3; calls += 1) {
    expect(membership.some(membership.idsOf('ada')).map(({ id }) => id)).toEqual(['group-7'])
    expect([...membership.membersOf('group-7')]).toEqual(['ada', 'grace'])
    expect(membership.some(membership.idsOf('nobody'))).toEqual([])
    expect(membership.get('gone')).toBeNull()
  }
  expect(reads).toEqual([
    'groups of ada',
    'group group-7',
    'members of group-7',
    'groups of nobody',
    'group gone',
  ])
})

it('reads many groups in one statement', () => {
  const { membership, reads, ids } = open()
  expect(membership.some(membership.idsOf('grace')).map(({ id }) => id)).toEqual(ids)
  expect(membership.get('group-7')?.id).toBe('group-7')
  expect([...membership.groups.keys()]).toEqual(ids)
  expect(reads).toEqual(['groups of grace', 'all groups'])
})
