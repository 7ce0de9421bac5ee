import { addStrings } from '../../lib/i18n.ts'
import artifacts from '../../locales/en/artifacts.json' with { type: 'json' }

// Imported by every module that shows or opens artifacts.
addStrings('artifacts', artifacts)
