import knowledge from '../../locales/en/knowledge.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('knowledge', knowledge)
