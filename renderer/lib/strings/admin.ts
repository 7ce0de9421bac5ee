import admin from '../../locales/en/admin.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('admin', admin)
