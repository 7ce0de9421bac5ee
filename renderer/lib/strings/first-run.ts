import firstRun from '../../locales/en/first-run.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('firstRun', firstRun)
