import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import type { TaxAddress } from '../../api/billing.ts';
import { FormField } from '../../components/form-field.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { languageShown } from '../../lib/format-number.ts';

/** ISO 3166-1 alpha-2, without places that have no postal or tax system of their own. */
const COUNTRIES =
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CD CF CG CH CI CK CL CM CN CO CR CU CV CW CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'.split(
    ' ',
  );

interface TaxAddressFormProps {
  before: TaxAddress | undefined;
  /** What is wrong with the address of before. */
  problem: string | undefined;
  onSubmit: (address: TaxAddress) => void;
}

/** Asks for the place that the tax depends on, before anything can be paid. */
export function TaxAddressForm({ before, problem, onSubmit }: TaxAddressFormProps) {
  const [country, setCountry] = useState(before?.country ?? 'US');
  const [postalCode, setPostalCode] = useState(before?.postalCode ?? '');
  const names = new Intl.DisplayNames(languageShown(), { type: 'region' });
  const options = COUNTRIES.map((code) => [code, names.of(code) ?? code] as const).sort(([, a], [, b]) =>
    a.localeCompare(b, languageShown()),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ country, postalCode });
  };

  return (
    <form className="payment-form" onSubmit={submit}>
      <p className="payment-terms">
        <Trans>Where do you live? Your tax depends on it. You see what you pay before you pay.</Trans>
      </p>
      <SelectField
        label={t`Country or region`}
        autoComplete="country"
        options={options}
        value={country}
        onChange={(event) => setCountry(event.target.value)}
      />
      <FormField
        label={t`ZIP or postal code`}
        autoComplete="postal-code"
        maxLength={20}
        required={country === 'US' || country === 'CA'}
        error={problem}
        autoFocus={problem !== undefined}
        value={postalCode}
        onChange={(event) => setPostalCode(event.target.value)}
      />
      <button type="submit" className="btn btn-primary btn-lg">
        <Trans>Continue</Trans>
      </button>
    </form>
  );
}
