import { createAccess } from '../access/index.ts'
import { parseConfig } from '../config/parse-config.ts'
import { createGroups } from '../groups/index.ts'
import type { Caller } from '../lib/http.ts'
import { createLogger } from '../lib/logger.ts'
import { createSettings } from '../settings/index.ts'
import { createSecrets } from '../storage/secrets.ts'
import { createUsers } from '../users/index.ts'
import type { Role } from '#contract/common.ts'
import { createTestStorage } from './create-test-storage.ts'

/** Accounts, groups and access on a database in memory. */
export function createPeople(environment: Readonly<Record<string, string>> = {}) {
  const config = parseConfig(environment)
  const storage = createTestStorage()
  const settings = createSettings({
    storage,
    secrets: createSecrets('a root secret that only tests use, 32+ bytes'),
    config,
  })
  const users = createUsers({ storage, log: createLogger('silent') })
  const groups = createGroups({ storage, settings, users, config })
  const access = createAccess({ storage, groups, users })
  return {
    storage,
    settings,
    users,
    groups,
    access,
    addCaller: (name: string, role: Role = 'user'): Caller => {
      const { id, email } = users.create({ name, email: `${name}@example.org`, role })
      return { userId: id, role, name, email, credential: 'bearer', keyId: null }
    },
  }
}
