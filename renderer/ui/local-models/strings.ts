import localModels from '../../locales/en/local-models.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its side effect by every module that uses these strings.
addStrings('localModels', localModels)
