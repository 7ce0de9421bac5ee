import areas from '../../locales/en/areas.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('areas', areas)
