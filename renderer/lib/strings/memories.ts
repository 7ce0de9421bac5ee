import memories from '../../locales/en/memories.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('memories', memories)
