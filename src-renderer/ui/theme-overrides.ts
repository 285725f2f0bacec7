import type { GlobalThemeOverrides } from 'naive-ui';

/** Sizes in rem, because the root font scales with the screen. */
const SHAPE = {
  fontFamily: 'var(--font)',
  fontFamilyMono: 'var(--mono)',
  fontSize: '0.95rem',
  fontSizeSmall: '0.9rem',
  fontSizeMedium: '0.95rem',
  fontSizeLarge: '1.05rem',
  heightSmall: '1.9rem',
  heightMedium: '2.3rem',
  heightLarge: '2.7rem',
  borderRadius: '4px',
};

const DARK = {
  primaryColor: '#35c8f5',
  primaryColorHover: '#6cd8fa',
  primaryColorPressed: '#1ea9d4',
  primaryColorSuppl: '#35c8f5',
  errorColor: '#ff5a5c',
  errorColorHover: '#ff7f80',
  errorColorPressed: '#e23d40',
  warningColor: '#ffb020',
  successColor: '#3ddc84',
  bodyColor: '#0b0d10',
  modalColor: '#171c22',
  popoverColor: '#1d242c',
  cardColor: '#171c22',
  inputColor: '#0e1216',
  borderColor: '#3a4550',
  textColorBase: '#f2f5f7',
  textColor1: '#f2f5f7',
  textColor2: '#dfe5ea',
  textColor3: '#a9b5c0',
  placeholderColor: '#7d8994',
};

const LIGHT = {
  primaryColor: '#00668c',
  primaryColorHover: '#0a7da8',
  primaryColorPressed: '#004f6d',
  primaryColorSuppl: '#00668c',
  errorColor: '#c3161c',
  errorColorHover: '#d8353a',
  errorColorPressed: '#9e0f14',
  warningColor: '#8a5200',
  successColor: '#0b7437',
  bodyColor: '#ffffff',
  modalColor: '#ffffff',
  popoverColor: '#ffffff',
  cardColor: '#ffffff',
  inputColor: '#ffffff',
  borderColor: '#7c8994',
  textColorBase: '#10181f',
  textColor1: '#10181f',
  textColor2: '#1c2730',
  textColor3: '#4a5762',
  placeholderColor: '#6b7782',
};

/** Dark and light theme for all Naive UI widgets, with the colours of `theme.css`. */
export function themeOverrides(isLight: boolean): GlobalThemeOverrides {
  return {
    common: { ...SHAPE, ...(isLight ? LIGHT : DARK) },
    Form: { feedbackFontSizeMedium: '0.85rem', labelFontSizeTopMedium: '0.9rem', feedbackHeightMedium: '1.4rem' },
  };
}
