import path from 'node:path'
import { pino } from 'pino'
import { parseConfig } from '../../server/config/parse-config.ts'
import { Providers } from '../../server/providers/index.ts'
import { Retrieval } from '../../server/retrieval/index.ts'
import { GatewaySettings } from '../../server/settings/index.ts'
import { openStorage } from '../../server/storage/index.ts'
import { openPostgres } from '../../server/storage/postgres/open-postgres.ts'
import { createSecrets } from '../../server/storage/secrets/secrets.ts'

/**
 * Opens the index on a database file, or on PostgreSQL if a URL is given, without a server.
 * `environment` holds settings by their names.
 */
export async function openRetrieval(
  folder: string,
  environment: Record<string, string> = {},
  address?: string,
): Promise<{ retrieval: Retrieval; close(): Promise<void> }> {
  const config = parseConfig({
    LLMHOST_BASE_URLS: '',
    LOG_LEVEL: 'silent',
    ...environment,
    DATA_DIR: folder,
  })
  const storage = address
    ? await openPostgres({ address })
    : openStorage({ path: path.join(folder, 'index.db') })
  const secrets = createSecrets('a secret of benchmarks that is long enough')
  const settings = await GatewaySettings.open({ storage, secrets, config })
  const log = pino({ level: 'silent' })
  const providers = new Providers({ storage, secrets, settings, config, log })
  await providers.load()
  const retrieval = new Retrieval({ storage, settings, providers, log })
  return {
    retrieval,
    async close() {
      await retrieval.close()
      await providers.close()
      storage.close()
    },
  }
}
