export default `
blocked
Blocked callers
차단 목록
Blokovaní volající

.remove
Unblock {name}
{name} 차단 해제
Odblokovat {name}

.done
Blocked
차단했습니다
Zablokováno

block
Block
차단
Blokovat

import
Import vCard
vCard 가져오기
Importovat vCard

.large
This file is too large.
파일이 너무 큽니다.
Soubor je příliš velký.

.taken
{count} contact imported.|{count} contacts imported.
연락처 {count}개를 가져왔습니다.
Importován {count} kontakt.|Importovány {count} kontakty.|Importováno {count} kontaktů.

.skipped
{count} skipped (no number or address).
{count}개를 건너뛰었습니다(번호나 주소 없음).
Přeskočeno {count} (bez čísla a adresy).

.refused
{count} couldn’t be imported:
{count}개는 가져오지 못했습니다:
Nepodařilo se importovat {count}:

.full
Your contact list is full.
연락처가 가득 찼습니다.
Seznam kontaktů je plný.

contact.new
New contact
새 연락처
Nový kontakt

.edit
Edit contact
연락처 편집
Upravit kontakt

.addHandle
Add number or address
번호나 주소 추가
Přidat číslo nebo adresu

.favorite
Favourite
즐겨찾기
Oblíbený

.breaksThroughDoNotDisturb
Allow during Do Not Disturb
방해 금지 중에도 허용
Povolit v režimu Nerušit

.choosePhoto
Choose photo
사진 선택
Vybrat fotku

.removePhoto
Remove photo
사진 삭제
Odebrat fotku

.noImage
This file is not an image.
이 파일은 이미지가 아닙니다.
Tento soubor není obrázek.

.type
Type
유형
Typ

type.phoneNumber
Number
번호
Číslo

.emailAddress
E-mail
이메일
E-mail

.generic
Username
사용자 이름
Jméno
`;
