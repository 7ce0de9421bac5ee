import { expect, it } from 'vitest'
import { createPeople } from '../testing/create-people.ts'
import { createNotingIndex } from '../testing/serve-files.ts'
import { OwnedCollections } from './collection-names.ts'
import { OwnedCollectionStore } from './owned-store.ts'

const DOCUMENTS = 500

it('forgets the documents of a collection a few at a time, with those that are added meanwhile', async () => {
  const people = createPeople()
  const caller = people.addCaller('owner')
  const { index } = createNotingIndex()
  const steps: number[] = []
  const store = new OwnedCollectionStore(people.storage)
  const names = new OwnedCollections({
    store,
    files: { get: () => null },
    hasAccount: () => true,
    mayUseKnowledge: () => 'unknown',
    retrieval: {
      collections: index.collections,
      forgetAll(ids) {
        steps.push(ids.length)
        for (const id of ids) index.collections.remove(scope, id)
        if (steps.length === 1) index.collections.add(scope, 'late')
      },
    },
  })
  const { scope } = names.open(caller, 'pages', 'web')
  for (let place = 0; place < DOCUMENTS; place += 1) index.collections.add(scope, `d${place}`)
  await names.removeAll()
  expect(Math.max(...steps)).toBeLessThanOrEqual(50)
  expect(steps.reduce((sum, step) => sum + step, 0)).toBe(DOCUMENTS + 1)
  expect(store.all()).toEqual([])
})
