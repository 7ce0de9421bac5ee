import { expect, it } from 'vitest'
import { createPeople } from '../testing/create-people.ts'
import { createNotingIndex } from '../testing/serve-files.ts'
import { OwnedCollections } from './collection-names.ts'
import { OwnedCollectionStore } from './owned-store.ts'

const DOCUMENTS = 500

it('forgets the documents of a collection a few at a time, with those that are added meanwhile', async () => {
  const people = await createPeople()
  const caller = await people.addCaller('owner')
  const { index } = createNotingIndex()
  const steps: number[] = []
  const store = new OwnedCollectionStore(people.storage)
  const names = new OwnedCollections({
    store,
    files: { get: async () => null },
    hasAccount: async () => true,
    mayUseKnowledge: async () => 'unknown',
    retrieval: {
      collections: index.collections,
      async forgetAll(ids) {
        steps.push(ids.length)
        for (const id of ids) await index.collections.remove(scope, id)
        if (steps.length === 1) await index.collections.add(scope, 'late')
      },
    },
  })
  const { scope } = await names.open(caller, 'pages', 'web')
  for (let place = 0; place < DOCUMENTS; place += 1) await index.collections.add(scope, `d${place}`)
  await names.removeAll()
  expect(Math.max(...steps)).toBeLessThanOrEqual(50)
  expect(steps.reduce((sum, step) => sum + step, 0)).toBe(DOCUMENTS + 1)
  expect(await store.all()).toEqual([])
})
