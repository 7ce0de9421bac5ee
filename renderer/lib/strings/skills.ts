import skills from '../../locales/en/skills.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('skills', skills)
