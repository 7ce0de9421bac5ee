import { openStorage, type Storage } from '../storage/index.ts'

/** A fresh database in memory with the whole schema. */
export const createTestStorage = (): Storage => openStorage({ path: ':memory:' })
