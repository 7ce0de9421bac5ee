import webhooks from '../../locales/en/webhooks.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('webhooks', webhooks)
