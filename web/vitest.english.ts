import { i18n } from '@lingui/core';

// The messages are empty: in development mode the macros keep the English texts in the code.
i18n.loadAndActivate({ locale: 'en', messages: {} });
