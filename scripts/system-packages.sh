#!/bin/sh
# What the tests need beside Python: Chromium, fonts, Tesseract. Installed through apt when missing and when root.
set -u
want="fonts-dejavu-core chromium fonts-noto-core fonts-noto-cjk tesseract-ocr tesseract-ocr-ben tesseract-ocr-ara tesseract-ocr-vie tesseract-ocr-chi-sim tesseract-ocr-jpn"
missing=""
for package in $want; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
  echo "installing:$missing"
  apt-get update -q >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >/dev/null && exit 0
fi
echo "not installed:$missing. Tests that need them are skipped and say so. As root: apt-get install$missing"
exit 0
