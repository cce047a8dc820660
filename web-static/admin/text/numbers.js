export default `
admin.numbersLead
Who is reached by which number, name or e-mail address. To change it, open the account.
번호, 이름, 이메일 주소로 누구에게 연결되는지 보여 줍니다. 바꾸려면 계정을 여세요.
Ke komu vede které číslo, jméno nebo e-mail. Změnu proveďte v účtu.

.column.kind
Type
유형
Typ

.column.number
Number or name
번호 또는 이름
Číslo nebo jméno

.column.account
Account
계정
Účet

.column.limit
Limit
제한
Limit

.column.lastHour
Last hour
최근 1시간
Poslední hodina

.column.total
Since start
시작 이후
Od startu

.column.time
Time
시각
Čas

.type.generic
Username
사용자 이름
Jméno

.type.phoneNumber
Phone number
전화번호
Telefonní číslo

.type.emailAddress
E-mail
이메일
E-mail
`;
