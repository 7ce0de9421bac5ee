import localModels from '../../locales/en/local-models.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its effect by whatever draws or says something of local models.
addStrings('localModels', localModels)
