import connections from '../../locales/en/connections.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('connections', connections)
