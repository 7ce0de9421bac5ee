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
    read: async (id) => (note(`group ${id}`), ids.includes(id) ? toGroup(id) : undefined),
    readAll: async () => (note('all groups'), ids.map(toGroup)),
    readIdsOf: async (userId) => (
      note(`groups of ${userId}`),
      userId === 'grace' ? ids : userId === 'ada' ? ['group-7'] : []
    ),
    readIdsOfSeveral: async (userIds) => (
      note(`groups of ${userIds.join(' and ')}`),
      userIds.includes('ada') ? [{ user_id: 'ada', id: 'group-7' }] : []
    ),
    readMembersOf: async (groupId) => (
      note(`members of ${groupId}`),
      groupId === 'group-7' ? ['ada', 'grace'] : ['grace']
    ),
  })
  return { membership, reads, ids }
}

it('reads of groups what a call needs, once', async () => {
  const { membership, reads } = open()
  for (let calls = 0; calls < 3; calls += 1) {
    expect((await membership.some(await membership.idsOf('ada'))).map(({ id }) => id)).toEqual([
      'group-7',
    ])
    expect([...(await membership.membersOf('group-7'))]).toEqual(['ada', 'grace'])
    expect(await membership.some(await membership.idsOf('nobody'))).toEqual([])
    expect(await membership.get('gone')).toBeNull()
  }
  expect(reads).toEqual([
    'groups of ada',
    'group group-7',
    'members of group-7',
    'groups of nobody',
    'group gone',
  ])
})

it('reads many groups in one statement', async () => {
  const { membership, reads, ids } = open()
  expect((await membership.some(await membership.idsOf('grace'))).map(({ id }) => id)).toEqual(ids)
  expect((await membership.get('group-7'))?.id).toBe('group-7')
  expect([...(await membership.all()).keys()]).toEqual(ids)
  expect(reads).toEqual(['groups of grace', 'all groups'])
})

it('reads the groups of several users at once, if it does not know them', async () => {
  const { membership, reads } = open()
  await membership.readAhead(['ada', 'eve'])
  expect([...(await membership.idsOf('ada'))]).toEqual(['group-7'])
  expect([...(await membership.idsOf('eve'))]).toEqual([])
  await membership.readAhead(['ada', 'eve'])
  expect(reads).toEqual(['groups of ada and eve'])
})
