import { expect, onTestFinished, test, vi } from 'vitest'
import { useScim } from '../testing/use-scim.ts'

const { server, call } = useScim()

test('Accounts are found although others are deleted while the filter is applied', async () => {
  const { users, groups } = server().context
  const first = await users.create({ name: 'Leaving', email: 'leaving@example.org', role: 'user' })
  for (let count = 0; count < 600; count += 1)
    await users.create({ name: 'Crowd', email: `crowd${count}@example.org`, role: 'user' })
  const all = await users.all()
  const listOf = groups.listOf.bind(groups)
  const spy = vi.spyOn(groups, 'listOf').mockImplementation(async (userId) => {
    if (userId === all[400]!.id) await users.remove(first.id)
    return listOf(userId)
  })
  onTestFinished(() => spy.mockRestore())
  const found = (await call('GET', `/Users?filter=${encodeURIComponent('active eq true')}`)).body
  expect(found.totalResults).toBe(all.length)
  expect(await users.count()).toBe(all.length - 1)
})
