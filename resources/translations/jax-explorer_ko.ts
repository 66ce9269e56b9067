<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ko" sourcelanguage="en">
<context>
    <name>App</name>
    <message>
        <source>JAX Explorer itself failed here: {}: {}. Your code is safe.</source>
        <translation>JAX Explorer 자체에 문제가 생겼습니다: {}: {}. 코드는 안전합니다.</translation>
    </message>
</context>
<context>
    <name>ArrayNames</name>
    <message>
        <source>, line {}</source>
        <translation>, {}번째 줄</translation>
    </message>
    <message>
        <source>{} (uniform, before &lt; p)</source>
        <translation>{} (uniform, &lt; p 비교 전)</translation>
    </message>
</context>
<context>
    <name>AxisControls</name>
    <message>
        <source>Axis that makes the rows</source>
        <translation>행이 되는 축</translation>
    </message>
    <message>
        <source>axis {}</source>
        <translation>축 {}</translation>
    </message>
    <message>
        <source>axis {}: {} of {}</source>
        <translation>축 {0}: {2}개 중 {1}번</translation>
    </message>
    <message>
        <source>Index along axis {}</source>
        <translation>축 {}의 인덱스</translation>
    </message>
</context>
<context>
    <name>CallPage</name>
    <message>
        <source>One call, stage by stage</source>
        <translation>호출 한 번을 단계별로</translation>
    </message>
    <message>
        <source>Break-even, and how far to trust the times</source>
        <translation>손익분기와, 시간을 얼마나 믿을 수 있는지</translation>
    </message>
    <message>
        <source>The lines that take the time are in Program &gt; time.</source>
        <translation>어느 줄이 시간을 쓰는지는 Program &gt; 시간에서 볼 수 있습니다.</translation>
    </message>
</context>
<context>
    <name>CallWords</name>
    <message>
        <source>A later call</source>
        <translation>이후의 호출</translation>
    </message>
    <message>
        <source>first call, cold</source>
        <translation>첫 호출 (빈 캐시)</translation>
    </message>
    <message>
        <source>first call</source>
        <translation>첫 호출</translation>
    </message>
    <message>
        <source>later calls, warm</source>
        <translation>이후 호출</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>전송</translation>
    </message>
    <message>
        <source>trace</source>
        <translation>trace</translation>
    </message>
    <message>
        <source>lower</source>
        <translation>lower</translation>
    </message>
    <message>
        <source>compile</source>
        <translation>컴파일</translation>
    </message>
    <message>
        <source>first run</source>
        <translation>첫 실행</translation>
    </message>
    <message>
        <source>until it returns</source>
        <translation>반환까지</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>대기</translation>
    </message>
    <message>
        <source>to the device</source>
        <translation>장치로</translation>
    </message>
    <message>
        <source>from the device</source>
        <translation>장치에서</translation>
    </message>
</context>
<context>
    <name>CheckerRows</name>
    <message>
        <source>JAX says</source>
        <translation>JAX의 답</translation>
    </message>
    <message>
        <source>{comparison}
For the traced program: {static}
For a run: {runtime}</source>
        <translation>{comparison}
trace한 프로그램: {static}
실행: {runtime}</translation>
    </message>
    <message>
        <source>nothing.</source>
        <translation>지적 없음.</translation>
    </message>
    <message>
        <source>Asking JAX. It runs the program once more …</source>
        <translation>JAX에 묻는 중입니다. 프로그램을 한 번 더 실행합니다 …</translation>
    </message>
    <message>
        <source>No answer: the program did not run to its end.</source>
        <translation>답이 없습니다. 프로그램이 끝까지 실행되지 않았습니다.</translation>
    </message>
    <message>
        <source>No answer yet: it comes with the next run.</source>
        <translation>아직 답이 없습니다. 다음 실행 때 나옵니다.</translation>
    </message>
</context>
<context>
    <name>ChoiceBar</name>
    <message>
        <source>Question</source>
        <translation>질문</translation>
    </message>
    <message>
        <source>Key {}</source>
        <translation>{} 키</translation>
    </message>
</context>
<context>
    <name>ChoiceMenu</name>
    <message>
        <source>Choose what to time</source>
        <translation>무엇의 시간을 잴지 고릅니다</translation>
    </message>
    <message>
        <source>Timing options</source>
        <translation>시간 재기 선택</translation>
    </message>
    <message>
        <source>Time again</source>
        <translation>다시 재기</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>버전</translation>
    </message>
    <message>
        <source>Time ▾</source>
        <translation>시간 재기 ▾</translation>
    </message>
    <message>
        <source>Every variant</source>
        <translation>모든 버전을</translation>
    </message>
    <message>
        <source>as written (eager)</source>
        <translation>쓰인 그대로 (eager)</translation>
    </message>
    <message>
        <source>Compare with another device</source>
        <translation>다른 장치와 비교</translation>
    </message>
    <message>
        <source>JAX has one device here; for more CPU devices see the Run menu</source>
        <translation>여기서 JAX의 장치는 하나입니다. CPU 장치를 늘리려면 실행 메뉴를 보세요</translation>
    </message>
    <message>
        <source>one device</source>
        <translation>장치 하나</translation>
    </message>
</context>
<context>
    <name>CodeView</name>
    <message>
        <source>Code</source>
        <translation>코드</translation>
    </message>
    <message>
        <source>Tab indents; F6 moves to the next part of the window</source>
        <translation>Tab은 들여쓰기이고, F6은 창의 다음 부분으로 갑니다</translation>
    </message>
    <message>
        <source>Code editor</source>
        <translation>코드 편집기</translation>
    </message>
    <message>
        <source>Not pasted: a line may have up to {letters} characters, and the code up to {megabytes} MB.</source>
        <translation>붙여 넣지 않았습니다. 한 줄은 {letters}자까지, 코드 전체는 {megabytes} MB까지 됩니다.</translation>
    </message>
    <message>
        <source>runs with {name}={value}</source>
        <translation>{name}={value} 값으로 실행</translation>
    </message>
    <message>
        <source>No fix found here</source>
        <translation>여기서 고칠 방법을 찾지 못했습니다</translation>
    </message>
    <message>
        <source>After your answer</source>
        <translation>답한 뒤에 보입니다</translation>
    </message>
    <message>
        <source>After the run</source>
        <translation>실행이 끝난 뒤</translation>
    </message>
    <message>
        <source>Look for fixes</source>
        <translation>수정안 찾기</translation>
    </message>
    <message>
        <source>Explain: {}</source>
        <translation>설명: {}</translation>
    </message>
    <message>
        <source>Go to definition</source>
        <translation>정의로 이동</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>잘라내기</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>복사</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>붙여넣기</translation>
    </message>
    <message>
        <source>Cannot find where this name is defined.</source>
        <translation>이 이름이 정의된 곳을 찾을 수 없습니다.</translation>
    </message>
</context>
<context>
    <name>ColourBar</name>
    <message>
        <source>Colour bar</source>
        <translation>색 막대</translation>
    </message>
    <message>
        <source>A few values are far outside the colour range and are marked.</source>
        <translation>몇몇 값은 색 범위를 크게 벗어나 따로 표시했습니다.</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>opened before</source>
        <translation>최근에 연 것</translation>
    </message>
    <message>
        <source>lesson</source>
        <translation>레슨</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>버전</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>진단</translation>
    </message>
</context>
<context>
    <name>CommandTable</name>
    <message>
        <source>&amp;File</source>
        <translation>파일(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>실행(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>보기(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>도움말(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Present</source>
        <translation>발표(&amp;P)</translation>
    </message>
    <message>
        <source>{} CPU devices</source>
        <translation>CPU 장치 {}개</translation>
    </message>
    <message>
        <source>&amp;Open a file…</source>
        <translation>파일 열기(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>저장(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>다른 이름으로 저장(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Handout of this lesson…</source>
        <translation>이 레슨의 유인물(&amp;H)…</translation>
    </message>
    <message>
        <source>&amp;Export pictures and data…</source>
        <translation>그림과 데이터 내보내기(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Reset the code to the original</source>
        <translation>코드를 원본으로 되돌리기(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>끝내기(&amp;Q)</translation>
    </message>
    <message>
        <source>Run the code again</source>
        <translation>코드를 다시 실행</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>실행</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>중지(&amp;S)</translation>
    </message>
    <message>
        <source>Stop what is running</source>
        <translation>실행 중인 것을 멈춤</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>시간 재기(&amp;T)</translation>
    </message>
    <message>
        <source>Time every variant over the sweep</source>
        <translation>모든 버전의 시간을 값마다 잽니다</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>시간</translation>
    </message>
    <message>
        <source>Time &amp;automatically after each change</source>
        <translation>바뀌면 자동으로 재기(&amp;A)</translation>
    </message>
    <message>
        <source>T&amp;ransforms around the variant</source>
        <translation>버전에 씌우는 변환(&amp;R)</translation>
    </message>
    <message>
        <source>Transform</source>
        <translation>변환</translation>
    </message>
    <message>
        <source>Apply jit, vmap, grad and others to the variant without changing the code</source>
        <translation>코드는 그대로 두고 버전에 jit, vmap, grad 등을 씌웁니다</translation>
    </message>
    <message>
        <source>Ask JAX&apos;s own key &amp;checker</source>
        <translation>JAX의 key 검사기에 묻기(&amp;C)</translation>
    </message>
    <message>
        <source>Also ask jax_debug_key_reuse about this code, and explain any difference (on/off)</source>
        <translation>jax_debug_key_reuse에도 묻고, 판단이 다르면 이유를 보여 줍니다(켜기/끄기)</translation>
    </message>
    <message>
        <source>Restart &amp;worker</source>
        <translation>작업 프로세스 다시 시작(&amp;W)</translation>
    </message>
    <message>
        <source>Continue in a fresh process; the code and everything shown stay</source>
        <translation>이제부터 새 프로세스에서 실행합니다. 코드와 지금 보이는 것은 그대로 남습니다</translation>
    </message>
    <message>
        <source>Run &amp;elsewhere…</source>
        <translation>다른 곳에서 실행(&amp;E)…</translation>
    </message>
    <message>
        <source>1 CPU device</source>
        <translation>CPU 장치 1개</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>글자 크게(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Smaller text</source>
        <translation>글자 작게(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Normal text</source>
        <translation>보통 글자(&amp;N)</translation>
    </message>
    <message>
        <source>L&amp;ight</source>
        <translation>밝게(&amp;I)</translation>
    </message>
    <message>
        <source>The light theme</source>
        <translation>밝은 테마</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>어둡게(&amp;D)</translation>
    </message>
    <message>
        <source>The dark theme</source>
        <translation>어두운 테마</translation>
    </message>
    <message>
        <source>&amp;Projector</source>
        <translation>프로젝터(&amp;P)</translation>
    </message>
    <message>
        <source>The theme with the strongest contrast; the text size stays</source>
        <translation>대비가 가장 강한 테마. 글자 크기는 그대로입니다</translation>
    </message>
    <message>
        <source>Li&amp;st of lessons</source>
        <translation>레슨 목록(&amp;S)</translation>
    </message>
    <message>
        <source>Show or hide the list of lessons</source>
        <translation>레슨 목록을 보이거나 숨깁니다</translation>
    </message>
    <message>
        <source>T&amp;ypes at line ends</source>
        <translation>줄 끝에 타입(&amp;Y)</translation>
    </message>
    <message>
        <source>Show at the end of each traced line the types of its values: one example and its batch</source>
        <translation>trace한 줄마다 끝에 값의 타입을 표시: 샘플 하나와 그 배치</translation>
    </message>
    <message>
        <source>Large &amp;keys pane</source>
        <translation>Keys 창 크게(&amp;K)</translation>
    </message>
    <message>
        <source>Large n&amp;oise pane</source>
        <translation>Noise 창 크게(&amp;O)</translation>
    </message>
    <message>
        <source>Large p&amp;rogram pane</source>
        <translation>Program 창 크게(&amp;R)</translation>
    </message>
    <message>
        <source>Large &amp;timing pane</source>
        <translation>Timing 창 크게(&amp;T)</translation>
    </message>
    <message>
        <source>R&amp;eset layout</source>
        <translation>창 배열 되돌리기(&amp;E)</translation>
    </message>
    <message>
        <source>Expl&amp;ain the finding</source>
        <translation>진단 설명 보기(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Back from a link</source>
        <translation>링크를 누른 곳으로 돌아가기(&amp;B)</translation>
    </message>
    <message>
        <source>S&amp;wap the screens while presenting</source>
        <translation>발표 화면 맞바꾸기(&amp;W)</translation>
    </message>
    <message>
        <source>With two screens: swap the audience&apos;s screen and yours</source>
        <translation>화면이 둘일 때: 청중의 화면과 발표자의 화면을 맞바꿉니다</translation>
    </message>
    <message>
        <source>C&amp;ommand palette…</source>
        <translation>명령 팔레트(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a &amp;folder…</source>
        <translation>폴더 열기(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Glossary</source>
        <translation>용어집(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Tour</source>
        <translation>둘러보기(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>편집(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>실행 취소(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>다시 하기(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>잘라내기(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>복사(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>붙여넣기(&amp;P)</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>모두 선택(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>찾기(&amp;F)…</translation>
    </message>
    <message>
        <source>Find and r&amp;eplace…</source>
        <translation>찾아 바꾸기(&amp;E)…</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>다음 찾기(&amp;N)</translation>
    </message>
    <message>
        <source>Find pre&amp;vious</source>
        <translation>이전 찾기(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Go to line…</source>
        <translation>줄로 이동(&amp;G)…</translation>
    </message>
    <message>
        <source>Go to &amp;definition</source>
        <translation>정의로 이동(&amp;D)</translation>
    </message>
    <message>
        <source>C&amp;omment on or off</source>
        <translation>주석 켜기/끄기(&amp;O)</translation>
    </message>
    <message>
        <source>Apply a &amp;fix…</source>
        <translation>잘못된 곳 고치기(&amp;W)…</translation>
    </message>
    <message>
        <source>Co&amp;mpare two variants</source>
        <translation>두 버전 비교(&amp;M)</translation>
    </message>
    <message>
        <source>Open re&amp;cent</source>
        <translation>최근에 연 것(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>새 파일(&amp;N)</translation>
    </message>
    <message>
        <source>New lesson from a &amp;template…</source>
        <translation>틀에서 새 레슨 만들기(&amp;T)…</translation>
    </message>
    <message>
        <source>Next part of the &amp;window</source>
        <translation>화면의 다음 부분(&amp;W)</translation>
    </message>
    <message>
        <source>Previous part of the w&amp;indow</source>
        <translation>화면의 이전 부분(&amp;I)</translation>
    </message>
    <message>
        <source>Ne&amp;xt lesson</source>
        <translation>다음 레슨(&amp;X)</translation>
    </message>
    <message>
        <source>Previo&amp;us lesson</source>
        <translation>이전 레슨(&amp;U)</translation>
    </message>
    <message>
        <source>Next &amp;finding</source>
        <translation>다음 진단(&amp;F)</translation>
    </message>
    <message>
        <source>Pre&amp;vious finding</source>
        <translation>이전 진단(&amp;V)</translation>
    </message>
    <message>
        <source>Present &amp;full screen</source>
        <translation>전체 화면 발표(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>키보드 단축키(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About JAX Explorer</source>
        <translation>JAX Explorer 정보(&amp;A)</translation>
    </message>
</context>
<context>
    <name>ControlBar</name>
    <message>
        <source>Controls</source>
        <translation>도구 모음</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>장치</translation>
    </message>
    <message>
        <source>Where the program runs and is timed</source>
        <translation>프로그램을 실행하고 시간을 재는 장치</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>버전</translation>
    </message>
    <message>
        <source>The function that the panes show</source>
        <translation>네 창이 보여 주는 함수</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>비교 대상</translation>
    </message>
    <message>
        <source>this Python</source>
        <translation>현재 Python</translation>
    </message>
    <message>
        <source>Elsewhere…</source>
        <translation>다른 곳…</translation>
    </message>
    <message>
        <source>A second function, shown next to the first for comparison</source>
        <translation>나란히 놓고 비교할 두 번째 함수</translation>
    </message>
    <message>
        <source>In another Python, over ssh, or by any command that starts a Python with jax</source>
        <translation>다른 Python, ssh, 또는 jax가 있는 Python을 시작하는 명령에서</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>시작하는 중</translation>
    </message>
    <message>
        <source>The same function in the original code, before the edits</source>
        <translation>고치기 전 원본 코드의 같은 함수</translation>
    </message>
    <message>
        <source>As it was</source>
        <translation>고치기 전</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>없음</translation>
    </message>
</context>
<context>
    <name>CountWords</name>
    <message>
        <source>1 error</source>
        <translation>오류 1건</translation>
    </message>
    <message>
        <source>{count} errors</source>
        <translation>오류 {count}건</translation>
    </message>
    <message>
        <source>1 bug</source>
        <translation>버그 1건</translation>
    </message>
    <message>
        <source>{count} bugs</source>
        <translation>버그 {count}건</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>경고 1건</translation>
    </message>
    <message>
        <source>{count} warnings</source>
        <translation>경고 {count}건</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>참고 1건</translation>
    </message>
    <message>
        <source>{count} notes</source>
        <translation>참고 {count}건</translation>
    </message>
</context>
<context>
    <name>Cover</name>
    <message>
        <source>After your answer</source>
        <translation>답한 뒤에 보입니다</translation>
    </message>
    <message>
        <source>Show it without an answer</source>
        <translation>답하지 않고 보기</translation>
    </message>
    <message>
        <source>The question then counts as read, not as answered</source>
        <translation>그러면 질문은 답한 것이 아니라 읽은 것으로 남습니다</translation>
    </message>
</context>
<context>
    <name>CrashRecovery</name>
    <message>
        <source>JAX Explorer ended unexpectedly in “{}”, page {}. Go on there?</source>
        <translation>JAX Explorer가 “{}” {}페이지에서 갑자기 끝났습니다. 거기서 계속할까요?</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>계속하기</translation>
    </message>
    <message>
        <source>No</source>
        <translation>아니요</translation>
    </message>
</context>
<context>
    <name>CurvePlot</name>
    <message>
        <source>Curves over the iterations</source>
        <translation>반복에 따른 곡선</translation>
    </message>
    <message>
        <source>{name} in call {number}: {value}</source>
        <translation>{number}번째 호출의 {name}: {value}</translation>
    </message>
    <message>
        <source>{name} in iteration {number}: {value}</source>
        <translation>{number}번째 반복의 {name}: {value}</translation>
    </message>
    <message>
        <source>NaN or infinity</source>
        <translation>NaN 또는 무한대</translation>
    </message>
    <message>
        <source>{name} in iteration {number}: mean {mean}, from {least} to {most}, norm {norm}</source>
        <translation>{number}번째 반복의 {name}: 평균 {mean}, {least}~{most}, 노름 {norm}</translation>
    </message>
    <message>
        <source>NaN or infinite elements: {count} of {size}</source>
        <translation>원소 {size}개 중 {count}개가 NaN이나 무한대</translation>
    </message>
    <message>
        <source>iteration</source>
        <translation>반복</translation>
    </message>
    <message>
        <source>call</source>
        <translation>호출</translation>
    </message>
</context>
<context>
    <name>CurvesPage</name>
    <message>
        <source>Time of a call over the parameter</source>
        <translation>매개변수에 따른 호출 시간</translation>
    </message>
    <message>
        <source>time of a call</source>
        <translation>호출 시간</translation>
    </message>
</context>
<context>
    <name>Desk</name>
    <message>
        <source>Export into this folder</source>
        <translation>이 폴더로 내보내기</translation>
    </message>
    <message>
        <source>The export failed: {}.</source>
        <translation>내보내지 못했습니다: {}.</translation>
    </message>
    <message>
        <source>Exported {} files to {}.</source>
        <translation>파일 {}개를 {}에 내보냈습니다.</translation>
    </message>
</context>
<context>
    <name>Disk</name>
    <message>
        <source>Keep mine</source>
        <translation>내 것 유지</translation>
    </message>
    <message>
        <source>{} has changed on disk, and cannot be read now: {} Your code is still here.</source>
        <translation>{} 파일이 디스크에서 바뀌었고 지금은 읽을 수 없습니다: {} 코드는 이 창에 그대로 있습니다.</translation>
    </message>
    <message>
        <source>{} was not saved: another program has changed it on disk. Choose Keep mine, then save again.</source>
        <translation>{} 파일은 저장되지 않았습니다. 다른 프로그램이 디스크에서 바꾸었습니다. 내 것 유지를 누른 뒤 다시 저장하세요.</translation>
    </message>
    <message>
        <source>{} has changed on disk, and you have edited it here.</source>
        <translation>{} 파일이 디스크에서 바뀌었고, 이 창에서도 편집되었습니다.</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>다시 읽기</translation>
    </message>
    <message>
        <source>{} is gone from disk. Your code is still here; Save writes the file again.</source>
        <translation>{} 파일이 디스크에서 사라졌습니다. 코드는 이 창에 그대로 있으며, 저장하면 파일을 새로 씁니다.</translation>
    </message>
    <message>
        <source>{} has changed on disk and was read again. Undo brings back the earlier text.</source>
        <translation>{} 파일이 디스크에서 바뀌어 다시 읽었습니다. 실행 취소를 하면 이전 내용이 돌아옵니다.</translation>
    </message>
</context>
<context>
    <name>EditedBar</name>
    <message>
        <source>The code is edited: this page is about the original</source>
        <translation>코드가 수정되었습니다. 이 페이지는 원래 코드를 설명합니다</translation>
    </message>
    <message>
        <source>Show both</source>
        <translation>둘 다 보기</translation>
    </message>
    <message>
        <source>Shows the original next to the edited code</source>
        <translation>고친 코드 옆에 원래 코드를 보여 줍니다</translation>
    </message>
    <message>
        <source>Restore the original</source>
        <translation>원래대로 되돌리기</translation>
    </message>
    <message>
        <source>Brings the original code back; one undo takes that back</source>
        <translation>원래 코드로 되돌립니다. 실행 취소 한 번이면 다시 돌아옵니다</translation>
    </message>
</context>
<context>
    <name>Editing</name>
    <message>
        <source>Go to line</source>
        <translation>줄로 이동</translation>
    </message>
    <message>
        <source>1 to {}</source>
        <translation>1~{}</translation>
    </message>
</context>
<context>
    <name>EndPage</name>
    <message>
        <source>End of the lesson</source>
        <translation>레슨의 끝</translation>
    </message>
    <message>
        <source>The lesson ends here: {}</source>
        <translation>이 레슨은 여기까지입니다: {}</translation>
    </message>
    <message>
        <source>The course “{}” ends here.</source>
        <translation>“{}” 강의가 여기에서 끝납니다.</translation>
    </message>
    <message>
        <source>Press Page Down again for the next lesson:</source>
        <translation>Page Down을 한 번 더 누르면 다음 레슨입니다:</translation>
    </message>
    <message>
        <source>This is the last lesson in the list.</source>
        <translation>목록의 마지막 레슨입니다.</translation>
    </message>
    <message>
        <source>Page Up goes back.</source>
        <translation>Page Up을 누르면 이전 페이지로 돌아갑니다.</translation>
    </message>
</context>
<context>
    <name>Files</name>
    <message>
        <source>{} is a course without lessons.</source>
        <translation>{}: 레슨이 없는 강의입니다.</translation>
    </message>
    <message>
        <source>Add to a course</source>
        <translation>강의에 추가</translation>
    </message>
    <message>
        <source>Your course, or the title of a new one:</source>
        <translation>내 강의 또는 새 강의의 제목:</translation>
    </message>
    <message>
        <source>Pages of “{}”, such as 1-2,4; empty for all:</source>
        <translation>“{}”의 페이지(예: 1-2,4). 비워 두면 전체:</translation>
    </message>
    <message>
        <source>There are unsaved edits to this code from {}.</source>
        <translation>{}에 고치고 저장하지 않은 내용이 있습니다.</translation>
    </message>
    <message>
        <source>The file has changed since.</source>
        <translation>그 뒤에 파일이 바뀌었습니다.</translation>
    </message>
    <message>
        <source>Restore them</source>
        <translation>되살리기</translation>
    </message>
    <message>
        <source>Discard them</source>
        <translation>버리기</translation>
    </message>
    <message>
        <source>The code here has been edited too. Restoring replaces it; one undo takes that back.</source>
        <translation>지금 코드도 편집한 것입니다. 되살리면 그 코드를 바꾸며, 실행 취소 한 번으로 되돌릴 수 있습니다.</translation>
    </message>
    <message>
        <source>Keep what is here</source>
        <translation>지금 코드 유지</translation>
    </message>
    <message>
        <source>Python files, notebooks, courses and recordings</source>
        <translation>Python 파일, 노트북, 강의, 기록</translation>
    </message>
    <message>
        <source>Open a file</source>
        <translation>파일 열기</translation>
    </message>
    <message>
        <source>Open the folder of a lesson</source>
        <translation>레슨 폴더 열기</translation>
    </message>
    <message>
        <source>Run this program now?

{}

Opening a file runs its code on this computer.</source>
        <translation>이 프로그램을 지금 실행할까요?

{}

파일을 열면 그 코드가 이 컴퓨터에서 실행됩니다.</translation>
    </message>
    <message>
        <source>This course has programs of its own. Run them on this computer?

{}</source>
        <translation>이 강의에는 자체 프로그램이 있습니다. 이 컴퓨터에서 실행할까요?

{}</translation>
    </message>
    <message>
        <source>Save the code</source>
        <translation>코드 저장</translation>
    </message>
    <message>
        <source>{} was not saved: its name must end in .py.</source>
        <translation>{} 파일을 저장하지 않았습니다. 이름이 .py로 끝나야 합니다.</translation>
    </message>
    <message>
        <source>{} was not saved: {}. Your code is still here, and the file is as it was.</source>
        <translation>저장하지 못했습니다({}): {}. 코드는 여기 그대로 있고 파일도 바뀌지 않았습니다.</translation>
    </message>
    <message>
        <source>{} is still here. It is not saved.</source>
        <translation>{} 파일이 아직 있습니다. 저장되지 않았습니다.</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>열기</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
    <message>
        <source>Added to “{}”. The order of its lessons, its title and its minutes are in {}.</source>
        <translation>“{}”에 추가했습니다. 레슨 순서, 제목, 시간은 {}에 있습니다.</translation>
    </message>
    <message>
        <source>You can read this now. Its code has not run on this computer.</source>
        <translation>이제 읽을 수 있습니다. 코드는 이 컴퓨터에서 아직 실행되지 않았습니다.</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>실행하기</translation>
    </message>
    <message>
        <source>Title of the new lesson:</source>
        <translation>새 레슨 제목:</translation>
    </message>
    <message>
        <source>New lesson</source>
        <translation>새 레슨</translation>
    </message>
    <message>
        <source>The lesson could not be written: {}. Nothing was changed.</source>
        <translation>레슨을 쓰지 못했습니다: {}. 바뀐 것은 없습니다.</translation>
    </message>
    <message>
        <source>The lesson is in {}. Edit its story and scenario.toml there. Click the lesson in the list to read it again.</source>
        <translation>레슨은 {}에 있습니다. 그곳에서 이야기와 scenario.toml을 고치세요. 목록에서 레슨을 누르면 다시 읽습니다.</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Aa</source>
        <translation>Aa</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>대소문자 구분</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>이전 위치 (Shift+F3)</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>다음 위치 (F3)</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>바꾸기</translation>
    </message>
    <message>
        <source>Replace this match and go to the next</source>
        <translation>여기를 바꾸고 다음으로 갑니다</translation>
    </message>
    <message>
        <source>Replace all</source>
        <translation>모두 바꾸기</translation>
    </message>
    <message>
        <source>Replace every match, in one undo step</source>
        <translation>모두 바꿉니다. 실행 취소 한 번으로 되돌립니다</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>닫기 (Esc)</translation>
    </message>
    <message>
        <source>Find and replace</source>
        <translation>찾기와 바꾸기</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>{number}/{count}</translation>
    </message>
    <message>
        <source>{count} found</source>
        <translation>{count}곳</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>찾기</translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation>바꿀 말</translation>
    </message>
</context>
<context>
    <name>FindingsView</name>
    <message>
        <source>Findings appear here after the first run.</source>
        <translation>첫 실행이 끝나면 진단이 여기에 나옵니다.</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>진단</translation>
    </message>
    <message>
        <source>List of findings</source>
        <translation>진단 목록</translation>
    </message>
    <message>
        <source>There is nothing to run. A variant is a function that takes the arguments returned by inputs.</source>
        <translation>실행할 것이 없습니다. 버전은 inputs가 반환하는 값을 인자로 받는 함수입니다.</translation>
    </message>
    <message>
        <source>The run was stopped before it finished.</source>
        <translation>끝나기 전에 멈추었습니다.</translation>
    </message>
    <message>
        <source>The run has not finished yet.</source>
        <translation>아직 끝나지 않았습니다.</translation>
    </message>
    <message>
        <source>{type}: explained below the code</source>
        <translation>{type}: 코드 아래에 설명이 있습니다</translation>
    </message>
    <message>
        <source> ({count} times)</source>
        <translation> ({count}번)</translation>
    </message>
    <message>
        <source>Lines {lines}</source>
        <translation>{lines}번째 줄</translation>
    </message>
    <message>
        <source>Lesson: {title}</source>
        <translation>레슨: {title}</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>오류</translation>
    </message>
    <message>
        <source>Bug</source>
        <translation>버그</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>경고</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>참고</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>실행 중</translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation>{line}번째 줄</translation>
    </message>
    <message>
        <source>{now} (as it was: {before})</source>
        <translation>{now} (고치기 전: {before})</translation>
    </message>
    <message>
        <source>running…</source>
        <translation>실행 중…</translation>
    </message>
    <message>
        <source>before the change: {}</source>
        <translation>바꾸기 전: {}</translation>
    </message>
</context>
<context>
    <name>FocusWords</name>
    <message>
        <source>Selected: {what} ({variant})</source>
        <translation>선택: {what} ({variant})</translation>
    </message>
    <message>
        <source>Selected: {what}</source>
        <translation>선택: {what}</translation>
    </message>
    <message>
        <source>equation {number}, {name}</source>
        <translation>{number}번 식, {name}</translation>
    </message>
    <message>
        <source>key {data}</source>
        <translation>key {data}</translation>
    </message>
    <message>
        <source>example {number}</source>
        <translation>{number}번 샘플</translation>
    </message>
    <message>
        <source>line {number}</source>
        <translation>{number}번째 줄</translation>
    </message>
    <message>
        <source>timing of {variant} ({transforms})</source>
        <translation>{variant}의 시간 ({transforms})</translation>
    </message>
    <message>
        <source>{words} at {place}</source>
        <translation>{words}, {place}</translation>
    </message>
    <message>
        <source>{words}: {time} a call</source>
        <translation>{words}: 호출당 {time}</translation>
    </message>
    <message>
        <source>Selection cleared: it belongs to {variant}, which is no longer shown.</source>
        <translation>선택이 풀렸습니다. 이제 보이지 않는 {variant}의 것이었습니다.</translation>
    </message>
    <message>
        <source>Selection cleared: that line is no longer in the code.</source>
        <translation>선택이 풀렸습니다. 선택한 줄이 코드에 더는 없습니다.</translation>
    </message>
    <message>
        <source>Selection cleared: that equation is no longer in the program.</source>
        <translation>선택이 풀렸습니다. 선택한 식이 프로그램에 더는 없습니다.</translation>
    </message>
    <message>
        <source>Selection cleared: the program no longer makes that key.</source>
        <translation>선택이 풀렸습니다. 선택한 key가 더는 만들어지지 않습니다.</translation>
    </message>
    <message>
        <source>Selection cleared: the program no longer makes that draw.</source>
        <translation>선택이 풀렸습니다. 선택한 난수를 더는 뽑지 않습니다.</translation>
    </message>
    <message>
        <source>Selection cleared: the program now has fewer examples.</source>
        <translation>선택이 풀렸습니다. 샘플 수가 줄어 선택한 샘플이 없습니다.</translation>
    </message>
    <message>
        <source>Selection cleared: the selected item is no longer there.</source>
        <translation>선택이 풀렸습니다. 선택한 것을 더는 찾을 수 없습니다.</translation>
    </message>
    <message>
        <source>Selection cleared: that point was not timed again.</source>
        <translation>선택이 풀렸습니다. 선택한 점을 다시 재지 않았습니다.</translation>
    </message>
    <message>
        <source>draw {name} from key {data}</source>
        <translation>key {data}에서 뽑은 {name}</translation>
    </message>
    <message>
        <source>{words}, shared by {count} examples</source>
        <translation>{words}, 샘플 {count}개가 공유</translation>
    </message>
    <message>
        <source>{words}, shared by {count} devices</source>
        <translation>{words}, 장치 {count}개가 공유</translation>
    </message>
    <message>
        <source>{words}, for example {number}</source>
        <translation>{words}, {number}번 샘플용</translation>
    </message>
</context>
<context>
    <name>FoldMargin</name>
    <message>
        <source>Fold or open what is inside this line</source>
        <translation>이 줄 안쪽을 접거나 펼칩니다</translation>
    </message>
</context>
<context>
    <name>FormSwitch</name>
    <message>
        <source>optimised HLO</source>
        <translation>최적화된 HLO</translation>
    </message>
    <message>
        <source>The program as JAX recorded it</source>
        <translation>JAX가 기록한 프로그램</translation>
    </message>
    <message>
        <source>The text that JAX passes to the compiler</source>
        <translation>JAX가 컴파일러에 넘기는 텍스트</translation>
    </message>
    <message>
        <source>The program that the compiler made for this device</source>
        <translation>컴파일러가 이 장치에 맞게 만든 프로그램</translation>
    </message>
    <message>
        <source>Form of the program text</source>
        <translation>프로그램 표시 형식</translation>
    </message>
</context>
<context>
    <name>Gallery</name>
    <message>
        <source>Images, one for each row</source>
        <translation>이미지, 행마다 하나</translation>
    </message>
    <message>
        <source>Red, green, blue from {} to {}.</source>
        <translation>빨강, 초록, 파랑 모두 {}~{}.</translation>
    </message>
    <message>
        <source>× in a corner: values that are NaN or infinite.</source>
        <translation>모서리의 ×: NaN이나 무한대인 값.</translation>
    </message>
    <message>
        <source>Drawn: 1 pixel in {}.</source>
        <translation>픽셀 {}개 중 1개만 그렸습니다.</translation>
    </message>
    <message>
        <source>Scroll to see all {}.</source>
        <translation>스크롤하면 {}개를 모두 봅니다.</translation>
    </message>
    <message>
        <source>{}, pixel {}, {}: {}</source>
        <translation>{}, 픽셀 {}, {}: {}</translation>
    </message>
    <message>
        <source>image {}</source>
        <translation>이미지 {}</translation>
    </message>
    <message>
        <source>{}, like all images {}</source>
        <translation>{}, 이미지 {} 모두 같음</translation>
    </message>
</context>
<context>
    <name>GlossaryWindow</name>
    <message>
        <source>Glossary</source>
        <translation>용어집</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>검색</translation>
    </message>
    <message>
        <source>Search the glossary</source>
        <translation>용어 검색</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>용어</translation>
    </message>
    <message>
        <source>The glossary has no such word.</source>
        <translation>용어집에 그런 말이 없습니다.</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>뜻</translation>
    </message>
    <message>
        <source>See also: {}</source>
        <translation>함께 보기: {}</translation>
    </message>
    <message>
        <source>Lesson: {}</source>
        <translation>레슨: {}</translation>
    </message>
</context>
<context>
    <name>Handout</name>
    <message>
        <source>No picture: the program stopped with {}.</source>
        <translation>그림 없음: 프로그램이 {} 오류로 멈췄습니다.</translation>
    </message>
    <message>
        <source>No picture: this program makes no random keys.</source>
        <translation>그림 없음: 이 프로그램은 난수 key를 만들지 않습니다.</translation>
    </message>
    <message>
        <source>No picture: this program returns no array that can be drawn.</source>
        <translation>그림 없음: 이 프로그램은 그릴 수 있는 배열을 반환하지 않습니다.</translation>
    </message>
    <message>
        <source>No picture: no time was measured.</source>
        <translation>그림 없음: 측정한 시간이 없습니다.</translation>
    </message>
    <message>
        <source>There is nothing to show here: the code needs packages that are not installed: {}.</source>
        <translation>코드가 보여 주는 것이 여기에는 없습니다. 설치되어 있지 않은 패키지가 필요합니다: {}.</translation>
    </message>
    <message>
        <source>There is nothing to show here: the code stopped: {}</source>
        <translation>코드가 보여 주는 것이 여기에는 없습니다. 코드가 멈췄습니다: {}</translation>
    </message>
    <message>
        <source>The program was still running, so not everything is here.</source>
        <translation>프로그램이 아직 실행 중이어서 일부가 빠졌습니다.</translation>
    </message>
    <message>
        <source>Some figures could not be found. They are missing on these pages: {}.</source>
        <translation>구하지 못한 수치가 있습니다. 다음 페이지에 빠져 있습니다: {}.</translation>
    </message>
</context>
<context>
    <name>Handouts</name>
    <message>
        <source>Save the handout</source>
        <translation>유인물 저장</translation>
    </message>
    <message>
        <source>A handout is already being made. It takes a moment.</source>
        <translation>유인물을 이미 만들고 있습니다. 잠시 걸립니다.</translation>
    </message>
    <message>
        <source>The handout is being made: the lesson runs page by page.</source>
        <translation>유인물을 만들고 있습니다. 레슨을 페이지마다 실행합니다.</translation>
    </message>
    <message>
        <source>The handout is in {}.</source>
        <translation>유인물을 {}에 저장했습니다.</translation>
    </message>
    <message>
        <source>The handout was not made: {}</source>
        <translation>유인물을 만들지 못했습니다: {}</translation>
    </message>
</context>
<context>
    <name>HeatPage</name>
    <message>
        <source>{} not finite: ×.</source>
        <translation>유한하지 않은 값 {}개: ×.</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>infinity</source>
        <translation>무한대</translation>
    </message>
    <message>
        <source>-infinity</source>
        <translation>-무한대</translation>
    </message>
    <message>
        <source>above the colours</source>
        <translation>색 범위보다 큼</translation>
    </message>
    <message>
        <source>below the colours</source>
        <translation>색 범위보다 작음</translation>
    </message>
    <message>
        <source>Marked: {}.</source>
        <translation>표시: {}.</translation>
    </message>
    <message>
        <source>{} more values elsewhere are NaN or infinite.</source>
        <translation>다른 곳에 NaN이나 무한대가 {}개 더 있습니다.</translation>
    </message>
    <message>
        <source>Drawn: 1 row in {}. Zoom in to see all.</source>
        <translation>행 {}개 중 1개만 그렸습니다. 확대하면 모두 보입니다.</translation>
    </message>
    <message>
        <source>Drawn: 1 column in {}. Zoom in to see all.</source>
        <translation>열 {}개 중 1개만 그렸습니다. 확대하면 모두 보입니다.</translation>
    </message>
    <message>
        <source>Drawn: 1 row in {} and 1 column in {}. Zoom in to see all.</source>
        <translation>행 {}개 중 1개, 열 {}개 중 1개만 그렸습니다. 확대하면 모두 보입니다.</translation>
    </message>
    <message>
        <source>{words}, on {device}</source>
        <translation>{words}, {device}에 있음</translation>
    </message>
    <message>
        <source>{}, like all rows {}</source>
        <translation>{}, {} 행과 모두 같음</translation>
    </message>
</context>
<context>
    <name>Heatmap</name>
    <message>
        <source>Heatmap, one row per example</source>
        <translation>히트맵, 샘플마다 한 행</translation>
    </message>
</context>
<context>
    <name>HelpMenu</name>
    <message>
        <source>See what JAX hides: keys, noise, program and time.</source>
        <translation>JAX가 감추는 것, 곧 key와 노이즈, 프로그램과 시간을 봅니다.</translation>
    </message>
</context>
<context>
    <name>InForce</name>
    <message>
        <source>not partitionable</source>
        <translation>partitionable 아님</translation>
    </message>
</context>
<context>
    <name>IterationsPage</name>
    <message>
        <source>Go to iteration {}</source>
        <translation>{}번째 반복으로</translation>
    </message>
    <message>
        <source>Go to call {}</source>
        <translation>{}번째 호출로</translation>
    </message>
    <message>
        <source>Show the line of the call in which NaN or infinity first appears</source>
        <translation>NaN이나 무한대가 처음 나타나는 호출의 줄을 봅니다</translation>
    </message>
    <message>
        <source>Show the iteration in which NaN or infinity first appears, at its equation</source>
        <translation>NaN이나 무한대가 처음 나타나는 반복을 그 식에서 봅니다</translation>
    </message>
    <message>
        <source>Go to line {}</source>
        <translation>{}번째 줄로</translation>
    </message>
    <message>
        <source>This loop runs no iteration for the current inputs.</source>
        <translation>지금 입력에서는 이 루프가 한 번도 돌지 않습니다.</translation>
    </message>
    <message>
        <source>NaN or infinity first appears in iteration {number} of {length}.</source>
        <translation>{length}번의 반복 중 {number}번째에서 NaN이나 무한대가 처음 나타납니다.</translation>
    </message>
    <message>
        <source>{length} iterations, all values finite.</source>
        <translation>반복 {length}번, 모든 값이 유한합니다.</translation>
    </message>
    <message>
        <source>Only every {stride}th is drawn; all were searched for NaN and infinity.</source>
        <translation>{stride}번에 하나씩만 그립니다. NaN과 무한대는 모든 반복에서 찾았습니다.</translation>
    </message>
    <message>
        <source>Arrays that are not drawn: {count}.</source>
        <translation>배열 {count}개는 그리지 않았습니다.</translation>
    </message>
</context>
<context>
    <name>KeyCanvas</name>
    <message>
        <source>{draw}, and {count} more</source>
        <translation>{draw}, 그 밖에 {count}번</translation>
    </message>
</context>
<context>
    <name>KeyHalf</name>
    <message>
        <source>{verdict}, on purpose</source>
        <translation>{verdict}, 일부러</translation>
    </message>
    <message>
        <source>{verdict}, until it stopped</source>
        <translation>{verdict}, 멈춘 곳까지</translation>
    </message>
    <message>
        <source>Keys of {name}</source>
        <translation>{name}의 key</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Keys</translation>
    </message>
    <message>
        <source>The program stopped before it made a key.</source>
        <translation>프로그램이 key를 만들기 전에 멈추었습니다.</translation>
    </message>
    <message>
        <source>This program makes no random keys.</source>
        <translation>이 프로그램은 난수 key를 만들지 않습니다.</translation>
    </message>
    <message>
        <source>The keys of this program were not recorded.</source>
        <translation>이 프로그램의 key는 기록되지 않았습니다.</translation>
    </message>
    <message>
        <source>The keys appear here as soon as the program has run.</source>
        <translation>프로그램이 실행되면 key가 여기에 나옵니다.</translation>
    </message>
    <message>
        <source>The program stopped on line {line}. These are the keys that it made before.</source>
        <translation>프로그램이 {line}번째 줄에서 멈추었습니다. 그때까지 만든 key입니다.</translation>
    </message>
    <message>
        <source>The program did not finish. These are the keys that it made before it ended.</source>
        <translation>프로그램이 끝나지 않았습니다. 그때까지 만든 key입니다.</translation>
    </message>
</context>
<context>
    <name>KeySentences</name>
    <message>
        <source>from outside</source>
        <translation>밖에서 옴</translation>
    </message>
    <message>
        <source>{count} draws</source>
        <translation>추출 {count}번</translation>
    </message>
    <message>
        <source>split into {count}</source>
        <translation>{count}개로 split함</translation>
    </message>
    <message>
        <source>{count} examples share it</source>
        <translation>샘플 {count}개가 공유</translation>
    </message>
    <message>
        <source>{count} devices share it</source>
        <translation>장치 {count}개가 공유</translation>
    </message>
    <message>
        <source>{count} share it</source>
        <translation>{count}개가 공유</translation>
    </message>
    <message>
        <source>× {count} steps</source>
        <translation>× {count}단계</translation>
    </message>
    <message>
        <source>{sampler}, {count} keys inside</source>
        <translation>{sampler}, 안에 key {count}개</translation>
    </message>
    <message>
        <source>{name}, line {line}</source>
        <translation>{name}, {line}번째 줄</translation>
    </message>
    <message>
        <source>a draw</source>
        <translation>추출</translation>
    </message>
    <message>
        <source>{words}, for example {number}</source>
        <translation>{words}, {number}번 샘플용</translation>
    </message>
    <message>
        <source>fresh</source>
        <translation>새 key</translation>
    </message>
    <message>
        <source>split</source>
        <translation>split함</translation>
    </message>
    <message>
        <source>drawn once</source>
        <translation>한 번 뽑음</translation>
    </message>
    <message>
        <source>drawn from</source>
        <translation>뽑음</translation>
    </message>
    <message>
        <source>reused</source>
        <translation>재사용</translation>
    </message>
    <message>
        <source>shared by examples</source>
        <translation>여러 샘플이 공유</translation>
    </message>
    <message>
        <source>shared by devices</source>
        <translation>여러 장치가 공유</translation>
    </message>
    <message>
        <source>unused</source>
        <translation>끝까지 안 쓰임</translation>
    </message>
    <message>
        <source>click for details</source>
        <translation>누르면 자세히 봅니다</translation>
    </message>
    <message>
        <source>{count} keys</source>
        <translation>key {count}개</translation>
    </message>
    <message>
        <source>{count} keys: {each}</source>
        <translation>key {count}개: {each}</translation>
    </message>
    <message>
        <source>{count} keys, not used</source>
        <translation>새 key {count}개</translation>
    </message>
    <message>
        <source>{count} keys, each split</source>
        <translation>key {count}개, 각각 split함</translation>
    </message>
    <message>
        <source>{count} keys, each drawn once</source>
        <translation>key {count}개, 각각 한 번 뽑음</translation>
    </message>
    <message>
        <source>{count} keys, each used more than once</source>
        <translation>key {count}개, 각각 두 번 이상 씀</translation>
    </message>
    <message>
        <source>{count} keys, each shared by examples</source>
        <translation>key {count}개, 각각 여러 샘플이 공유</translation>
    </message>
    <message>
        <source>{count} keys, each shared by devices</source>
        <translation>key {count}개, 각각 여러 장치가 공유</translation>
    </message>
    <message>
        <source>{count} keys, none of them used</source>
        <translation>key {count}개, 모두 끝까지 안 쓰임</translation>
    </message>
    <message>
        <source>{count} keys from outside</source>
        <translation>밖에서 온 key {count}개</translation>
    </message>
    <message>
        <source>the program makes this key in {count} ways</source>
        <translation>프로그램이 이 key를 {count}가지 길로 만듭니다</translation>
    </message>
    <message>
        <source>{story} Key data: {data}.</source>
        <translation>{story} key 데이터: {data}.</translation>
    </message>
    <message>
        <source>{count} equal steps of a chain, the first: {story}</source>
        <translation>똑같이 이어지는 {count}단계. 첫 단계: {story}</translation>
    </message>
    <message>
        <source>{story} Among its keys: {each}.</source>
        <translation>{story} 그 key 가운데: {each}.</translation>
    </message>
    <message>
        <source>Key from outside the program</source>
        <translation>프로그램 밖에서 온 key</translation>
    </message>
    <message>
        <source>Key made from seed {number}</source>
        <translation>시드 {number}에서 만든 key</translation>
    </message>
    <message>
        <source>Key made by folding in {number}</source>
        <translation>fold_in({number})로 만든 key</translation>
    </message>
    <message>
        <source>Child {number} of {count} of a split</source>
        <translation>split한 key {count}개 중 {number}번</translation>
    </message>
    <message>
        <source>Child {number} of a split</source>
        <translation>split한 key 중 {number}번</translation>
    </message>
    <message>
        <source>{words} inside {sampler}</source>
        <translation>{sampler} 안의 {words}</translation>
    </message>
    <message>
        <source>{words}, and shared by {count} devices</source>
        <translation>{words}, 장치 {count}개가 공유</translation>
    </message>
    <message>
        <source>{words}; some keys made from it inside are used more than once</source>
        <translation>{words}. 안에서 이 key로 만든 key 가운데 두 번 이상 쓰인 것이 있음</translation>
    </message>
    <message>
        <source>{words}, as intended</source>
        <translation>{words}, 의도한 대로임</translation>
    </message>
    <message>
        <source>nothing used it</source>
        <translation>끝까지 안 쓰임</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>아직 안 쓰임</translation>
    </message>
    <message>
        <source>used once, {place}</source>
        <translation>한 번 씀, {place}</translation>
    </message>
    <message>
        <source>folded into once</source>
        <translation>fold_in 한 번</translation>
    </message>
    <message>
        <source>drawn once, {place}</source>
        <translation>한 번 뽑음, {place}</translation>
    </message>
    <message>
        <source>{words}, and shared by {count} examples</source>
        <translation>{words}, 샘플 {count}개가 공유</translation>
    </message>
    <message>
        <source>{named}; and {more} more</source>
        <translation>{named} 외 {more}곳</translation>
    </message>
    <message>
        <source>used {count} times: {named}</source>
        <translation>{count}번 씀: {named}</translation>
    </message>
    <message>
        <source>{words} on line {line}</source>
        <translation>{words}, {line}번째 줄</translation>
    </message>
    <message>
        <source>1 key, not spent</source>
        <translation>새 key 1개</translation>
    </message>
    <message>
        <source>{count} keys, none spent</source>
        <translation>새 key {count}개</translation>
    </message>
    <message>
        <source>1 key spent</source>
        <translation>소비한 key 1개</translation>
    </message>
    <message>
        <source>folded into {count} times</source>
        <translation>fold_in {count}번</translation>
    </message>
    <message>
        <source>{count} keys spent</source>
        <translation>소비한 key {count}개</translation>
    </message>
    <message>
        <source>1 key, not drawn from</source>
        <translation>key 1개, 뽑은 적 없음</translation>
    </message>
    <message>
        <source>{count} keys, none drawn from</source>
        <translation>key {count}개, 뽑은 것 없음</translation>
    </message>
    <message>
        <source>1 key in all</source>
        <translation>모두 key 1개</translation>
    </message>
    <message>
        <source>{count} keys in all</source>
        <translation>모두 key {count}개</translation>
    </message>
    <message>
        <source>{keys} (without the {inside} that libraries made from them)</source>
        <translation>{keys} (라이브러리가 그것으로 만든 {inside}개는 빼고)</translation>
    </message>
    <message>
        <source>1 draw</source>
        <translation>추출 1번</translation>
    </message>
    <message>
        <source>shared by {most} examples</source>
        <translation>샘플 {most}개가 공유</translation>
    </message>
    <message>
        <source>shared by {most} devices</source>
        <translation>장치 {most}개가 공유</translation>
    </message>
    <message>
        <source>{count} shared by {most} examples</source>
        <translation>{count}개는 샘플 {most}개가 공유</translation>
    </message>
    <message>
        <source>{count} shared by {most} devices</source>
        <translation>{count}개는 장치 {most}개가 공유</translation>
    </message>
    <message>
        <source>{count} times</source>
        <translation>{count}번</translation>
    </message>
    <message>
        <source>{count} more than once</source>
        <translation>{count}개는 두 번 이상</translation>
    </message>
    <message>
        <source>each once</source>
        <translation>각각 한 번</translation>
    </message>
    <message>
        <source>one for each example</source>
        <translation>샘플마다 하나</translation>
    </message>
    <message>
        <source>{count} split more than once</source>
        <translation>{count}개 두 번 이상 split</translation>
    </message>
    <message>
        <source>no key twice</source>
        <translation>두 번 쓰인 key 없음</translation>
    </message>
    <message>
        <source>{count} for each example</source>
        <translation>샘플마다 {count}개</translation>
    </message>
</context>
<context>
    <name>KeyView</name>
    <message>
        <source>Auto</source>
        <translation>자동</translation>
    </message>
    <message>
        <source>Icicle</source>
        <translation>아이시클</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>트리</translation>
    </message>
    <message>
        <source>A tree if there is room, otherwise an icicle</source>
        <translation>자리가 있으면 트리, 없으면 아이시클</translation>
    </message>
    <message>
        <source>Each key is a rectangle above everything made from it</source>
        <translation>key마다 사각형 하나, 그 아래에 거기서 나온 것들</translation>
    </message>
    <message>
        <source>Each key is a symbol, with lines to its children</source>
        <translation>key마다 기호 하나, 자식까지 선으로 이음</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Keys</translation>
    </message>
</context>
<context>
    <name>Lectern</name>
    <message>
        <source>V votes again after a vote, and no votes were counted here.</source>
        <translation>V를 누르면 투표를 다시 합니다. 여기서는 아직 투표하지 않았습니다.</translation>
    </message>
</context>
<context>
    <name>LeftOut</name>
    <message>
        <source>plots (not installed: {})</source>
        <translation>그래프 (설치되지 않음: {})</translation>
    </message>
    <message>
        <source>Show the error</source>
        <translation>오류 보기</translation>
    </message>
    <message>
        <source>A copy of the notebook, in Python.</source>
        <translation>노트북을 Python 코드로 옮긴 사본입니다.</translation>
    </message>
    <message>
        <source>Left out: {}.</source>
        <translation>뺀 것: {}.</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>Legend</source>
        <translation>범례</translation>
    </message>
</context>
<context>
    <name>LensModel</name>
    <message>
        <source>line</source>
        <translation>줄</translation>
    </message>
</context>
<context>
    <name>LensPage</name>
    <message>
        <source>{lens} of {variant}</source>
        <translation>{variant}: {lens}</translation>
    </message>
    <message>
        <source>Waiting for the {lens}…</source>
        <translation>{lens}: 기다리는 중…</translation>
    </message>
    <message>
        <source>The {lens} lens has nothing to show for this variant.</source>
        <translation>{lens}: 이 버전에는 보여 줄 것이 없습니다.</translation>
    </message>
    <message>
        <source>{what}. The earlier table is shown below.</source>
        <translation>{what}. 아래는 그 전의 내용입니다.</translation>
    </message>
    <message>
        <source>Why there is no table</source>
        <translation>표가 없는 이유</translation>
    </message>
    <message>
        <source>About the table</source>
        <translation>표 설명</translation>
    </message>
    <message>
        <source>{variant} takes {ratio}× the memory of the other: {own}, not {other}.</source>
        <translation>{variant}의 메모리는 다른 쪽의 {ratio}배입니다: {own}, 다른 쪽은 {other}.</translation>
    </message>
</context>
<context>
    <name>LensTable</name>
    <message>
        <source>Copy the table as text</source>
        <translation>표를 텍스트로 복사</translation>
    </message>
</context>
<context>
    <name>LookRows</name>
    <message>
        <source>none so far</source>
        <translation>아직 없음</translation>
    </message>
    <message>
        <source>none in {parts}</source>
        <translation>{parts}: 문제없음</translation>
    </message>
    <message>
        <source>none</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>{found}; not checked: {parts}</source>
        <translation>{found}, 살펴보지 못함: {parts}</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>after your answer</source>
        <translation>답한 뒤에</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>진단</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Noise</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Outputs</translation>
    </message>
    <message>
        <source>Open the findings</source>
        <translation>진단 펴기</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>출력</translation>
    </message>
    <message>
        <source>Findings and output</source>
        <translation>진단과 출력</translation>
    </message>
    <message>
        <source>Fold the findings</source>
        <translation>진단 접기</translation>
    </message>
    <message>
        <source>What does JAX&apos;s own checker say?</source>
        <translation>JAX의 검사기는 뭐라고 할까요?</translation>
    </message>
</context>
<context>
    <name>Mirror</name>
    <message>
        <source>Audience view</source>
        <translation>청중이 보는 화면</translation>
    </message>
</context>
<context>
    <name>MissingWords</name>
    <message>
        <source>Nothing has run yet. The noise of each example will appear here.</source>
        <translation>아직 실행하지 않았습니다. 샘플별 노이즈가 여기에 나옵니다.</translation>
    </message>
    <message>
        <source>The program</source>
        <translation>프로그램</translation>
    </message>
    <message>
        <source>There is nothing to show. Findings says why.</source>
        <translation>보여 줄 것이 없습니다. 이유는 진단에 있습니다.</translation>
    </message>
    <message>
        <source>There is no variant to show.</source>
        <translation>보여 줄 버전이 없습니다.</translation>
    </message>
    <message>
        <source>Waiting for the program …</source>
        <translation>프로그램을 기다립니다 …</translation>
    </message>
    <message>
        <source>{} has nothing to show under “{}”.</source>
        <translation>{}에는 “{}”에서 보여 줄 것이 없습니다.</translation>
    </message>
    <message>
        <source>A line plot needs exactly one axis of numbers; this array has another number of axes, or holds True/False.</source>
        <translation>선 그래프에는 수가 놓인 축이 꼭 하나 필요합니다. 이 배열은 축의 수가 다르거나 참·거짓 값입니다.</translation>
    </message>
    <message>
        <source>There is no second array of the same size to compare this one with.</source>
        <translation>이 배열과 비교할 같은 크기의 두 번째 배열이 없습니다.</translation>
    </message>
    <message>
        <source>Waiting for {} …</source>
        <translation>{} 기다리는 중 …</translation>
    </message>
    <message>
        <source>The script</source>
        <translation>스크립트</translation>
    </message>
    <message>
        <source>{} failed with {}, so there is nothing to show.</source>
        <translation>{}: {} 오류. 보여 줄 것이 없습니다.</translation>
    </message>
    <message>
        <source>{} failed on line {} with {}, so there is nothing to show.</source>
        <translation>{}: {}번째 줄에서 {} 오류. 보여 줄 것이 없습니다.</translation>
    </message>
    <message>
        <source>{} took too long and was stopped, so there is nothing to show.</source>
        <translation>{}: 너무 오래 걸려 멈추었습니다. 보여 줄 것이 없습니다.</translation>
    </message>
    <message>
        <source>{} was stopped, so there is nothing to show.</source>
        <translation>{}: 멈추었습니다. 보여 줄 것이 없습니다.</translation>
    </message>
    <message>
        <source>The arrays of {} were not recorded.</source>
        <translation>{}의 배열은 기록되지 않았습니다.</translation>
    </message>
    <message>
        <source>The script keeps no array, so there is nothing to draw.</source>
        <translation>스크립트가 간직하는 배열이 없어 그릴 것이 없습니다.</translation>
    </message>
    <message>
        <source>{} returned no array, so there is nothing to draw.</source>
        <translation>{}: 반환한 배열이 없어 그릴 것이 없습니다.</translation>
    </message>
    <message>
        <source>The rows are not images: an image has height and width, and perhaps 1, 3 or 4 channels.</source>
        <translation>행이 이미지가 아닙니다. 이미지에는 높이와 너비가 있고, 채널 1, 3, 4개가 더 있을 수 있습니다.</translation>
    </message>
</context>
<context>
    <name>ModeChooser</name>
    <message>
        <source>Type of plot</source>
        <translation>그림의 종류</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>선</translation>
    </message>
    <message>
        <source>Heatmap</source>
        <translation>히트맵</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>이미지</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>산점도</translation>
    </message>
</context>
<context>
    <name>NameHelp</name>
    <message>
        <source>Names that fit</source>
        <translation>맞는 이름</translation>
    </message>
</context>
<context>
    <name>NoiseHalf</name>
    <message>
        <source>Verdict</source>
        <translation>판정</translation>
    </message>
    <message>
        <source>There is no value in this array: its shape is {}.</source>
        <translation>이 배열에는 값이 없습니다. 모양은 {}입니다.</translation>
    </message>
    <message>
        <source>{} values, {} of them NaN or infinite</source>
        <translation>값 {}개, 그 가운데 {}개가 NaN이나 무한대</translation>
    </message>
    <message>
        <source>{} values</source>
        <translation>값 {}개</translation>
    </message>
    <message>
        <source>{verdict}: their key is used more than once</source>
        <translation>{verdict}: 그 key를 여러 번 사용함</translation>
    </message>
    <message>
        <source>Letters are on axis {} only, the axis of the examples.</source>
        <translation>글자는 샘플이 있는 축 {}에만 붙습니다.</translation>
    </message>
    <message>
        <source>Letters follow the values shown; the examples are on axis {}.</source>
        <translation>글자는 보이는 값을 따릅니다. 샘플은 축 {}에 있습니다.</translation>
    </message>
    <message>
        <source>The examples are on axis {}.</source>
        <translation>샘플은 축 {}에 있습니다.</translation>
    </message>
    <message>
        <source>{first} to {last} on {device}</source>
        <translation>{first}~{last}: {device}</translation>
    </message>
    <message>
        <source>Examples {pieces}.</source>
        <translation>샘플이 있는 장치: {pieces}.</translation>
    </message>
</context>
<context>
    <name>NoiseView</name>
    <message>
        <source>Noise</source>
        <translation>Noise</translation>
    </message>
    <message>
        <source>Array on the y axis</source>
        <translation>세로축의 배열</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>반복</translation>
    </message>
    <message>
        <source>Curves over the iterations</source>
        <translation>반복에 따른 곡선</translation>
    </message>
    <message>
        <source>Curves: {name}</source>
        <translation>곡선: {name}</translation>
    </message>
    <message>
        <source>Show the values in all iterations of the loop as curves</source>
        <translation>루프의 모든 반복에서 나온 값을 곡선으로 봅니다</translation>
    </message>
    <message>
        <source>Show the numbers that a jitted function returned, over its calls</source>
        <translation>jit된 함수가 반환한 수를 호출에 따라 봅니다</translation>
    </message>
    <message>
        <source>curves: {}</source>
        <translation>곡선: {}</translation>
    </message>
    <message>
        <source>curve: {}</source>
        <translation>곡선: {}</translation>
    </message>
    <message>
        <source>against {}</source>
        <translation>비교: {}</translation>
    </message>
</context>
<context>
    <name>NotRecorded</name>
    <message>
        <source>The recording does not have this. To see it, choose “Open as a program” and run the program.</source>
        <translation>기록에 이 내용이 없습니다. 보려면 “프로그램으로 열기”를 고르고 프로그램을 실행하세요.</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Why there is no program</source>
        <translation>프로그램이 없는 이유</translation>
    </message>
    <message>
        <source>There is no variant to show.</source>
        <translation>보여 줄 버전이 없습니다.</translation>
    </message>
    <message>
        <source>The script itself calls no function of its own with arrays. A library may call one inside.</source>
        <translation>이 스크립트는 자신의 함수를 배열로 직접 호출하지 않습니다. 라이브러리가 안에서 호출할 수는 있습니다.</translation>
    </message>
    <message>
        <source>Call one with arrays to see its jaxpr and its time.</source>
        <translation>배열로 호출하면 jaxpr과 시간을 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>The compiler for this device does not print its program. The other forms are available.</source>
        <translation>이 장치의 컴파일러는 프로그램을 출력하지 않습니다. 다른 형식은 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>Waiting for the program…</source>
        <translation>프로그램을 기다립니다…</translation>
    </message>
    <message>
        <source>Waiting for the {wanted}…</source>
        <translation>{wanted} 기다리는 중…</translation>
    </message>
    <message>
        <source>{type} on line {line}</source>
        <translation>{line}번째 줄에서 {type}</translation>
    </message>
    <message>
        <source>There is no {form}: {what}. The {shown} is shown below.</source>
        <translation>{form} 없음: {what}. 아래는 {shown}입니다.</translation>
    </message>
    <message>
        <source>There is no {form}: {what}</source>
        <translation>{form} 없음: {what}</translation>
    </message>
    <message>
        <source>{what}. The last {form} is shown below.</source>
        <translation>{what}. 아래는 마지막으로 있던 {form}입니다.</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
</context>
<context>
    <name>OutputView</name>
    <message>
        <source>Output</source>
        <translation>출력</translation>
    </message>
    <message>
        <source>Output of the program</source>
        <translation>프로그램의 출력</translation>
    </message>
    <message>
        <source>… (line cut)</source>
        <translation>… (여기서 줄을 잘랐습니다)</translation>
    </message>
    <message>
        <source>The output is longer. Only its end is shown.</source>
        <translation>출력이 더 있었습니다. 끝부분만 보여 줍니다.</translation>
    </message>
    <message>
        <source>The output of the program appears here.</source>
        <translation>프로그램의 출력이 여기에 나옵니다.</translation>
    </message>
    <message>
        <source>The recording has no output: the program printed nothing, or it was not kept.</source>
        <translation>기록에 출력이 없습니다. 프로그램이 아무것도 출력하지 않았거나, 출력이 기록되지 않았습니다.</translation>
    </message>
    <message>
        <source>The program printed nothing.</source>
        <translation>프로그램이 출력한 것이 없습니다.</translation>
    </message>
    <message>
        <source>Nothing printed so far.</source>
        <translation>아직 출력한 것이 없습니다.</translation>
    </message>
</context>
<context>
    <name>Overview</name>
    <message>
        <source>Tab changes between lessons and pages, Enter or a click opens one, Esc goes back</source>
        <translation>Tab: 레슨과 페이지 사이 이동, Enter나 클릭: 열기, Esc: 돌아가기</translation>
    </message>
    <message>
        <source>Enter or a click opens a page, Esc goes back, Ctrl+L finds another lesson</source>
        <translation>Enter나 클릭으로 페이지를 열고 Esc로 돌아갑니다. 다른 레슨은 Ctrl+L로 찾습니다</translation>
    </message>
    <message>
        <source>Lessons of the course</source>
        <translation>강의의 레슨</translation>
    </message>
    <message>
        <source>All pages</source>
        <translation>모든 페이지</translation>
    </message>
</context>
<context>
    <name>Pace</name>
    <message>
        <source>Lesson {} of {}</source>
        <translation>레슨 {}/{}</translation>
    </message>
    <message>
        <source>{} min left</source>
        <translation>{}분 남음</translation>
    </message>
    <message>
        <source>{} min over</source>
        <translation>{}분 초과</translation>
    </message>
    <message>
        <source>{minutes}, the last lesson</source>
        <translation>{minutes}, 마지막 레슨</translation>
    </message>
    <message>
        <source>this one until minute {}</source>
        <translation>이 레슨은 {}분까지</translation>
    </message>
    <message>
        <source>{minutes}, 1 lesson to go</source>
        <translation>{minutes}, 남은 레슨 1개</translation>
    </message>
    <message>
        <source>{minutes}, {count} lessons to go</source>
        <translation>{minutes}, 남은 레슨 {count}개</translation>
    </message>
</context>
<context>
    <name>PageStack</name>
    <message>
        <source>State of the timing</source>
        <translation>측정 상태</translation>
    </message>
</context>
<context>
    <name>PageTurner</name>
    <message>
        <source>{lesson} could not be opened: {why}</source>
        <translation>{lesson}: 열지 못했습니다. {why}</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Type a part of a command, lesson, variant, finding or file</source>
        <translation>명령, 레슨, 버전, 진단, 파일 이름의 일부를 입력하세요</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>명령 팔레트</translation>
    </message>
    <message>
        <source>Nothing has these words in its name.</source>
        <translation>이름에 이 단어가 들어간 것이 없습니다.</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>찾은 것</translation>
    </message>
</context>
<context>
    <name>Pane</name>
    <message>
        <source>running…</source>
        <translation>실행 중…</translation>
    </message>
    <message>
        <source>before the change: {}</source>
        <translation>바꾸기 전: {}</translation>
    </message>
    <message>
        <source>after your answer</source>
        <translation>답한 뒤에</translation>
    </message>
</context>
<context>
    <name>PaneArea</name>
    <message>
        <source>Keys</source>
        <translation>Keys</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Noise</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Program</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>Timing</translation>
    </message>
</context>
<context>
    <name>PanePicture</name>
    <message>
        <source>Copy the picture</source>
        <translation>그림 복사</translation>
    </message>
    <message>
        <source>The picture of {} is on the clipboard.</source>
        <translation>{} 그림을 클립보드에 복사했습니다.</translation>
    </message>
</context>
<context>
    <name>PaneTitle</name>
    <message>
        <source>Detach this pane, or put it back</source>
        <translation>창을 떼어 내거나 되돌립니다</translation>
    </message>
    <message>
        <source>Fold this pane to a strip</source>
        <translation>이 창을 띠로 접기</translation>
    </message>
    <message>
        <source>Back to normal size ({})</source>
        <translation>원래 크기로 ({})</translation>
    </message>
    <message>
        <source>Detach {}</source>
        <translation>{} 창 떼어 내기</translation>
    </message>
    <message>
        <source>Maximise {}</source>
        <translation>{} 창 크게</translation>
    </message>
    <message>
        <source>Make this pane large ({})</source>
        <translation>이 창을 크게 ({})</translation>
    </message>
    <message>
        <source>Fold {}</source>
        <translation>{} 접기</translation>
    </message>
    <message>
        <source>The story is about this pane</source>
        <translation>이야기가 이 창을 가리킵니다</translation>
    </message>
</context>
<context>
    <name>ParameterField</name>
    <message>
        <source>inputs({}=...), {} by default</source>
        <translation>inputs({}=...), 기본값 {}</translation>
    </message>
    <message>
        <source>{} must be a number, such as 0.5 or 1e-3.</source>
        <translation>{}에는 0.5나 1e-3 같은 수를 적습니다.</translation>
    </message>
    <message>
        <source>{} must be a whole number from -2**63 to 2**64 - 1.</source>
        <translation>{}에는 -2**63 ~ 2**64 - 1의 정수를 적습니다.</translation>
    </message>
</context>
<context>
    <name>ParameterFields</name>
    <message>
        <source>Parameters</source>
        <translation>매개변수</translation>
    </message>
</context>
<context>
    <name>ParameterStrip</name>
    <message>
        <source>Parameter strip</source>
        <translation>매개변수 띠</translation>
    </message>
</context>
<context>
    <name>PeakCurve</name>
    <message>
        <source>Line, one value for each index</source>
        <translation>선 그래프, 인덱스마다 값 하나</translation>
    </message>
    <message>
        <source>index {}</source>
        <translation>인덱스 {}</translation>
    </message>
</context>
<context>
    <name>PictureChooser</name>
    <message>
        <source>Array</source>
        <translation>배열</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>출력</translation>
    </message>
    <message>
        <source>Draws</source>
        <translation>난수</translation>
    </message>
    <message>
        <source>Output − input</source>
        <translation>출력 − 입력</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>값</translation>
    </message>
    <message>
        <source>The value that the program returns</source>
        <translation>프로그램이 반환하는 값입니다</translation>
    </message>
    <message>
        <source>The random numbers as drawn</source>
        <translation>뽑은 그대로의 난수입니다</translation>
    </message>
    <message>
        <source>The difference between output and input</source>
        <translation>출력에서 입력을 뺀 값입니다</translation>
    </message>
    <message>
        <source>The value of the equation that is selected</source>
        <translation>선택한 식의 값입니다</translation>
    </message>
</context>
<context>
    <name>PointRow</name>
    <message>
        <source>Point of the sweep</source>
        <translation>스윕의 점</translation>
    </message>
    <message>
        <source>at {parameter} =</source>
        <translation>{parameter} =</translation>
    </message>
</context>
<context>
    <name>Presenter</name>
    <message>
        <source>page {} of {}</source>
        <translation>{}/{}페이지</translation>
    </message>
    <message>
        <source>The answer</source>
        <translation>답</translation>
    </message>
    <message>
        <source>Frozen: the audience sees a still picture. F unfreezes it.</source>
        <translation>정지: 청중에게는 멈춘 그림이 보입니다. F를 누르면 이어집니다.</translation>
    </message>
</context>
<context>
    <name>PresenterWindow</name>
    <message>
        <source>Presenter – JAX Explorer</source>
        <translation>발표자 – JAX Explorer</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>메모</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>다음</translation>
    </message>
    <message>
        <source>The audience sees</source>
        <translation>청중이 보는 화면</translation>
    </message>
    <message>
        <source>*No notes on this page.*</source>
        <translation>*이 페이지에는 메모가 없습니다.*</translation>
    </message>
    <message>
        <source>*This is the last page.*</source>
        <translation>*마지막 페이지입니다.*</translation>
    </message>
    <message>
        <source>not known yet: run the program first</source>
        <translation>아직 모릅니다. 먼저 프로그램을 실행해야 합니다</translation>
    </message>
    <message>
        <source>The answer: {}</source>
        <translation>답: {}</translation>
    </message>
    <message>
        <source>The audience sees {}</source>
        <translation>청중이 보는 화면: {}</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>뒤로</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>앞으로</translation>
    </message>
    <message>
        <source>Black</source>
        <translation>검은 화면</translation>
    </message>
    <message>
        <source>Freeze</source>
        <translation>정지</translation>
    </message>
    <message>
        <source>Swap screens</source>
        <translation>화면 맞바꾸기</translation>
    </message>
    <message>
        <source>End</source>
        <translation>끝내기</translation>
    </message>
</context>
<context>
    <name>ProblemCard</name>
    <message>
        <source>Lesson: {title}</source>
        <translation>레슨: {title}</translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation>문서</translation>
    </message>
    <message>
        <source>The error in JAX&apos;s own words</source>
        <translation>JAX가 알린 오류 그대로</translation>
    </message>
    <message>
        <source>JAX&apos;s own words</source>
        <translation>JAX의 메시지 그대로</translation>
    </message>
    <message>
        <source>The whole message, as JAX or Python wrote it</source>
        <translation>JAX나 Python이 쓴 메시지 전체입니다</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
    <message>
        <source>Close the explanation</source>
        <translation>설명 닫기</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>설명</translation>
    </message>
    <message>
        <source>Line {line}: {sentence}</source>
        <translation>{line}번째 줄: {sentence}</translation>
    </message>
    <message>
        <source>Changes the code; one undo takes it back. Ctrl+. lists these anywhere in the code.</source>
        <translation>코드를 고칩니다. 실행 취소 한 번으로 되돌립니다. 코드 어디서든 Ctrl+.으로 목록을 봅니다.</translation>
    </message>
</context>
<context>
    <name>ProblemLine</name>
    <message>
        <source>Shows the whole message</source>
        <translation>전체 내용을 보여 줍니다</translation>
    </message>
    <message>
        <source>line {line}, column {column}</source>
        <translation>줄 {line}, 칸 {column}</translation>
    </message>
    <message>
        <source>too long to colour</source>
        <translation>너무 길어 색을 입히지 않음</translation>
    </message>
    <message>
        <source>Line {line}: {what} – see Findings</source>
        <translation>{line}번째 줄: {what} – 진단 목록 보기</translation>
    </message>
    <message>
        <source>Line {line}: {what} – explain</source>
        <translation>{line}번째 줄: {what} – 설명 보기</translation>
    </message>
    <message>
        <source>Line {line}: {what}</source>
        <translation>{line}번째 줄: {what}</translation>
    </message>
</context>
<context>
    <name>ProgramHalf</name>
    <message>
        <source>Program of {}</source>
        <translation>{}의 프로그램</translation>
    </message>
    <message>
        <source>Space folds or opens the line</source>
        <translation>스페이스로 줄을 접거나 펼칩니다</translation>
    </message>
    <message>
        <source>none: {}</source>
        <translation>없음: {}</translation>
    </message>
    <message>
        <source>{} lines</source>
        <translation>{}줄</translation>
    </message>
    <message>
        <source>draws from {}</source>
        <translation>{}에서 난수를 뽑음</translation>
    </message>
    <message>
        <source>1 equation</source>
        <translation>식 1개</translation>
    </message>
    <message>
        <source>{} equations</source>
        <translation>식 {}개</translation>
    </message>
    <message>
        <source>{words} ({inner} more inside)</source>
        <translation>{words}(안에 {inner}개 더)</translation>
    </message>
    <message>
        <source>Program text</source>
        <translation>프로그램 텍스트</translation>
    </message>
</context>
<context>
    <name>ProgramText</name>
    <message>
        <source>Copy</source>
        <translation>복사</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>모두 선택</translation>
    </message>
    <message>
        <source>1 line</source>
        <translation>1줄</translation>
    </message>
    <message>
        <source>{} lines</source>
        <translation>{}줄</translation>
    </message>
</context>
<context>
    <name>ProgramView</name>
    <message>
        <source>Program</source>
        <translation>Program</translation>
    </message>
    <message>
        <source>Tab: {}</source>
        <translation>Tab: {}</translation>
    </message>
    <message>
        <source>Differences are not marked: they span {lines} lines, and at most {most} are compared. A smaller batch, or fewer iterations of a Python loop, makes the program shorter.</source>
        <translation>차이를 표시하지 않았습니다. 첫 차이부터 마지막 차이까지 {lines}줄이며, 비교는 {most}줄까지만 합니다. 배치를 줄이거나 Python 반복문의 횟수를 줄이면 프로그램이 짧아집니다.</translation>
    </message>
    <message>
        <source>Open all</source>
        <translation>모두 펼치기</translation>
    </message>
    <message>
        <source>Fold all</source>
        <translation>모두 접기</translation>
    </message>
    <message>
        <source>Fold or open the jaxprs inside equations. For a single one, click its arrow or press Space on its line</source>
        <translation>식 안의 jaxpr을 접거나 펼칩니다. 하나만 하려면 화살표나 그 줄에서 스페이스를 누르세요</translation>
    </message>
</context>
<context>
    <name>Recent</name>
    <message>
        <source>{} no longer exists, so it was removed from the list of recent files.</source>
        <translation>{} 파일이 더 이상 없어서 최근에 연 목록에서 뺐습니다.</translation>
    </message>
</context>
<context>
    <name>Recordings</name>
    <message>
        <source>Open as a program</source>
        <translation>프로그램으로 열기</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
    <message>
        <source>A recording of {} from {} ({}). Nothing runs here.</source>
        <translation>{} 실행 기록, {} ({}). 여기서는 아무것도 실행되지 않습니다.</translation>
    </message>
</context>
<context>
    <name>RemoteSheet</name>
    <message>
        <source>Run elsewhere</source>
        <translation>다른 곳에서 실행</translation>
    </message>
    <message>
        <source>The remote needs only a Python with jax, numpy and msgspec. Enter the path of the Python or its environment, ssh HOST, ssh HOST PYTHON, or any command that starts a Python.</source>
        <translation>원격에는 jax, numpy, msgspec이 설치된 Python만 있으면 됩니다. Python이나 가상 환경의 경로, ssh HOST, ssh HOST PYTHON, 또는 Python을 시작하는 명령을 적으세요.</translation>
    </message>
    <message>
        <source>Remote</source>
        <translation>원격</translation>
    </message>
    <message>
        <source>&amp;Try it</source>
        <translation>연결해 보기(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Run there</source>
        <translation>그곳에서 실행(&amp;R)</translation>
    </message>
</context>
<context>
    <name>Remotes</name>
    <message>
        <source>Starting a Python at {}…</source>
        <translation>Python을 시작합니다: {}…</translation>
    </message>
    <message>
        <source>Python {}, jax {}</source>
        <translation>Python {}, jax {}</translation>
    </message>
    <message>
        <source>Devices: {}</source>
        <translation>장치: {}</translation>
    </message>
    <message>
        <source>Round trip: {} ms</source>
        <translation>왕복 시간: {} ms</translation>
    </message>
    <message>
        <source>No worker started there: {}.</source>
        <translation>그곳에서 작업 프로세스가 시작되지 않았습니다: {}.</translation>
    </message>
</context>
<context>
    <name>RunQuestion</name>
    <message>
        <source>Open</source>
        <translation>열기</translation>
    </message>
    <message>
        <source>&amp;Read first</source>
        <translation>먼저 읽기(&amp;R)</translation>
    </message>
    <message>
        <source>{} more characters are not shown here. Read them before you run.</source>
        <translation>여기에 {}자가 더 표시되지 않았습니다. 실행하기 전에 읽어 보세요.</translation>
    </message>
</context>
<context>
    <name>ScatterPage</name>
    <message>
        <source>Scatter plot, one point for each index</source>
        <translation>산점도, 인덱스마다 점 하나</translation>
    </message>
    <message>
        <source>No correlation: one of the two holds a single value only.</source>
        <translation>상관 없음: 둘 중 하나는 값이 모두 같습니다.</translation>
    </message>
    <message>
        <source>Correlation {} (chance: ±{})</source>
        <translation>상관 {} (우연: ±{})</translation>
    </message>
    <message>
        <source>Chance: 95 % of correlations of {} independent pairs are in this range.</source>
        <translation>우연: 서로 독립인 {}쌍이면 상관의 95%가 이 범위에 듭니다.</translation>
    </message>
    <message>
        <source>Pairs that are not finite and left out: {}.</source>
        <translation>유한하지 않은 {}쌍은 뺐습니다.</translation>
    </message>
    <message>
        <source>index {}: {} across, {} up</source>
        <translation>인덱스 {}: 가로 {}, 세로 {}</translation>
    </message>
</context>
<context>
    <name>ScenarioList</name>
    <message>
        <source>My lessons</source>
        <translation>내 레슨</translation>
    </message>
    <message>
        <source>Opened files</source>
        <translation>연 파일</translation>
    </message>
    <message>
        <source>From packages</source>
        <translation>패키지에서</translation>
    </message>
    <message>
        <source>More</source>
        <translation>그 밖</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>수정됨</translation>
    </message>
    <message>
        <source>problem</source>
        <translation>문제</translation>
    </message>
    <message>
        <source>Add to a course…</source>
        <translation>강의에 추가…</translation>
    </message>
    <message>
        <source>All lessons</source>
        <translation>모든 레슨</translation>
    </message>
    <message>
        <source>needs {packages}</source>
        <translation>{packages} 필요</translation>
    </message>
    <message>
        <source>done</source>
        <translation>완료</translation>
    </message>
    <message>
        <source>No lesson contains “{words}”.</source>
        <translation>“{words}”가 든 레슨이 없습니다.</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>레슨</translation>
    </message>
    <message>
        <source>List of lessons</source>
        <translation>레슨 목록</translation>
    </message>
    <message>
        <source>Search lessons</source>
        <translation>레슨 검색</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>강의</translation>
    </message>
</context>
<context>
    <name>Screens</name>
    <message>
        <source>There is only one screen to present on.</source>
        <translation>발표할 화면이 하나뿐입니다.</translation>
    </message>
    <message>
        <source>The screens can be swapped while you present.</source>
        <translation>화면은 발표하는 동안 맞바꿀 수 있습니다.</translation>
    </message>
    <message>
        <source>Frozen. F shows this to the audience.</source>
        <translation>정지. F를 누르면 청중도 봅니다.</translation>
    </message>
    <message>
        <source>Freezing the audience view needs a second screen.</source>
        <translation>청중 화면을 멈추려면 두 번째 화면이 필요합니다.</translation>
    </message>
</context>
<context>
    <name>SettingsInForce</name>
    <message>
        <source>Settings in force</source>
        <translation>적용 중인 것</translation>
    </message>
    <message>
        <source>Use the code&apos;s values</source>
        <translation>코드의 값 쓰기</translation>
    </message>
    <message>
        <source>Sets the parameters to the values in the code</source>
        <translation>매개변수를 코드에 쓰인 값으로 되돌립니다</translation>
    </message>
    <message>
        <source>Remove the transforms</source>
        <translation>변환 걷어 내기</translation>
    </message>
    <message>
        <source>Shows the program as written, without transforms</source>
        <translation>바깥 변환 없이 쓰인 그대로의 프로그램을 보여 줍니다</translation>
    </message>
    <message>
        <source>Applied around the code: {}.</source>
        <translation>코드 바깥에서 적용 중: {}.</translation>
    </message>
    <message>
        <source>Runs with {name}={value}; the code says {default}.</source>
        <translation>실행에 쓰는 값은 {name}={value}입니다. 코드의 값은 {default}입니다.</translation>
    </message>
</context>
<context>
    <name>StageChips</name>
    <message>
        <source>Differences from the lesson</source>
        <translation>레슨과 다른 것</translation>
    </message>
    <message>
        <source>applied: {} · remove</source>
        <translation>적용 중: {} · 떼기</translation>
    </message>
    <message>
        <source>Shows the program as written, without transforms</source>
        <translation>바깥 변환 없이 쓰인 그대로의 프로그램을 보여 줍니다</translation>
    </message>
    <message>
        <source>{count} choices differ · reset</source>
        <translation>레슨과 {count}가지 다름 · 되돌리기</translation>
    </message>
    <message>
        <source>{count} parameters differ · reset</source>
        <translation>매개변수 {count}개가 다름 · 되돌리기</translation>
    </message>
    <message>
        <source>Click or press R to reset</source>
        <translation>누르거나 R을 치면 되돌립니다</translation>
    </message>
    <message>
        <source>lesson says {}</source>
        <translation>레슨에서는 {}</translation>
    </message>
    <message>
        <source>the code says {}</source>
        <translation>코드에서는 {}</translation>
    </message>
    <message>
        <source>reset</source>
        <translation>되돌리기</translation>
    </message>
</context>
<context>
    <name>StageKeys</name>
    <message>
        <source>While presenting</source>
        <translation>발표 중</translation>
    </message>
    <message>
        <source>Forward: the answer, then the next page</source>
        <translation>앞으로: 답, 다음 페이지</translation>
    </message>
    <message>
        <source>Back to the page before</source>
        <translation>앞 페이지로 돌아가기</translation>
    </message>
    <message>
        <source>Forward and back, unless a pane needs them</source>
        <translation>앞뒤로 넘기기, 창이 그 키를 쓰지 않을 때</translation>
    </message>
    <message>
        <source>A pane by its number</source>
        <translation>번호로 창 보기</translation>
    </message>
    <message>
        <source>The code alone</source>
        <translation>코드만 보기</translation>
    </message>
    <message>
        <source>The code next to a pane</source>
        <translation>코드와 창을 나란히 보기</translation>
    </message>
    <message>
        <source>The other program of a comparison</source>
        <translation>비교하는 다른 쪽 프로그램</translation>
    </message>
    <message>
        <source>All pages</source>
        <translation>모든 페이지</translation>
    </message>
    <message>
        <source>Variant, comparison, parameters, device</source>
        <translation>버전, 비교, 매개변수, 장치</translation>
    </message>
    <message>
        <source>Back to the values of the lesson</source>
        <translation>레슨의 값으로 되돌리기</translation>
    </message>
    <message>
        <source>Close what is open, or end</source>
        <translation>열린 것을 닫고, 없으면 끝내기</translation>
    </message>
    <message>
        <source>The next theme</source>
        <translation>다음 테마</translation>
    </message>
    <message>
        <source>The next language</source>
        <translation>다음 언어</translation>
    </message>
    <message>
        <source>Count a vote for a choice</source>
        <translation>보기에 한 사람 더하기</translation>
    </message>
    <message>
        <source>More digits: 40 B counts forty votes for B</source>
        <translation>숫자 더: 40 B는 B에 40표를 더함</translation>
    </message>
    <message>
        <source>Take it back</source>
        <translation>한 사람 빼기</translation>
    </message>
    <message>
        <source>Vote again on the same question</source>
        <translation>같은 질문에 다시 투표하기</translation>
    </message>
    <message>
        <source>A black screen (also B, when there is no question)</source>
        <translation>검은 화면 (질문이 없으면 B도)</translation>
    </message>
    <message>
        <source>Freeze or unfreeze the audience view</source>
        <translation>청중 화면 멈추기, 다시 이어 가기</translation>
    </message>
</context>
<context>
    <name>StagedCode</name>
    <message>
        <source>… 1 line</source>
        <translation>… 1줄</translation>
    </message>
    <message>
        <source>… {} lines</source>
        <translation>… {}줄</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>State</source>
        <translation>상태</translation>
    </message>
    <message>
        <source>ran on {}</source>
        <translation>{}에서 실행</translation>
    </message>
    <message>
        <source>x64</source>
        <translation>x64</translation>
    </message>
    <message>
        <source>draws as before JAX 0.5</source>
        <translation>JAX 0.5 이전 방식의 난수</translation>
    </message>
    <message>
        <source>failed: {}</source>
        <translation>오류: {}</translation>
    </message>
    <message>
        <source>{} s</source>
        <translation>{}초</translation>
    </message>
    <message>
        <source>{} ms</source>
        <translation>{} ms</translation>
    </message>
    <message>
        <source>up to date in {}</source>
        <translation>{} 만에 최신 상태</translation>
    </message>
    <message>
        <source>ran in {}, times follow</source>
        <translation>{} 만에 실행, 곧 시간을 잽니다</translation>
    </message>
    <message>
        <source>starting JAX</source>
        <translation>JAX 시작 중</translation>
    </message>
    <message>
        <source>running</source>
        <translation>실행 중</translation>
    </message>
    <message>
        <source>timing</source>
        <translation>시간 재는 중</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>멈추는 중</translation>
    </message>
    <message>
        <source>{what}, {seconds} s. Esc stops</source>
        <translation>{what}, {seconds}초. Esc를 누르면 멈춤</translation>
    </message>
    <message>
        <source>{what}, {seconds} s</source>
        <translation>{what}, {seconds}초</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>연결 없음</translation>
    </message>
    <message>
        <source>the worker did not start: see Findings</source>
        <translation>작업 프로세스가 시작되지 않았습니다. 진단을 보세요</translation>
    </message>
    <message>
        <source>runs in a moment</source>
        <translation>곧 실행</translation>
    </message>
    <message>
        <source>stopped at line {}: the panes show an older run</source>
        <translation>{}번째 줄에서 멈춤: 창에는 이전 실행 결과가 표시됨</translation>
    </message>
    <message>
        <source>stopped: the panes show an older run</source>
        <translation>멈춤: 창에는 이전 실행이 보입니다</translation>
    </message>
    <message>
        <source>has run</source>
        <translation>실행했습니다</translation>
    </message>
</context>
<context>
    <name>StoryView</name>
    <message>
        <source>{place} of {count}</source>
        <translation>{place}/{count}</translation>
    </message>
    <message>
        <source>Answer: {}.</source>
        <translation>답: {}.</translation>
    </message>
    <message>
        <source>Right: {}.</source>
        <translation>맞습니다 – {}.</translation>
    </message>
    <message>
        <source>Answer first, or › again to see it</source>
        <translation>먼저 답하거나, ›를 한 번 더 눌러 보세요</translation>
    </message>
    <message>
        <source>Before this: {}</source>
        <translation>먼저 볼 레슨: {}</translation>
    </message>
    <message>
        <source>In the glossary: {}</source>
        <translation>용어집에서 보기: {}</translation>
    </message>
    <message>
        <source>Next lesson: {}</source>
        <translation>다음 레슨: {}</translation>
    </message>
    <message>
        <source>Back to it</source>
        <translation>돌아가기</translation>
    </message>
    <message>
        <source>Not graded: this machine cannot tell the choices apart here. {}.</source>
        <translation>채점하지 않습니다. 이 컴퓨터에서는 지금 선택지를 구별할 수 없습니다. {}.</translation>
    </message>
    <message>
        <source>The answer is for the original code, which has not run here. Restore the original to see it.</source>
        <translation>정답은 원래 코드의 것인데, 원래 코드가 아직 실행되지 않았습니다. 되돌리면 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>The answer is not known yet: the run or the times are still to come.</source>
        <translation>아직 답을 모릅니다. 실행이나 시간 측정이 끝나지 않았습니다.</translation>
    </message>
    <message>
        <source>No, not “{}”. Answer: {}.</source>
        <translation>“{}”, 아닙니다. 답: {}.</translation>
    </message>
    <message>
        <source>Not {letter}: {why}</source>
        <translation>오답 {letter}: {why}</translation>
    </message>
    <message>
        <source>done</source>
        <translation>완료</translation>
    </message>
    <message>
        <source>Checking …</source>
        <translation>확인하는 중 …</translation>
    </message>
    <message>
        <source>Not yet: {}.</source>
        <translation>아직 아닙니다. {}.</translation>
    </message>
    <message>
        <source>Select {}</source>
        <translation>{} 선택</translation>
    </message>
    <message>
        <source>Choose a lesson from the list, or open your own file.</source>
        <translation>목록에서 레슨을 고르거나 내 파일을 여세요.</translation>
    </message>
    <message>
        <source>A recording: the panes show one run that has ended.</source>
        <translation>기록: 창은 이미 끝난 실행 하나를 보여 줍니다.</translation>
    </message>
    <message>
        <source>Your own file: edit the code, the panes follow.</source>
        <translation>내 파일입니다. 코드를 고치면 창들이 따라옵니다.</translation>
    </message>
    <message>
        <source>Story</source>
        <translation>이야기</translation>
    </message>
    <message>
        <source>Step of the story</source>
        <translation>이야기의 단계</translation>
    </message>
    <message>
        <source>Back (Page Up)</source>
        <translation>뒤로 (Page Up)</translation>
    </message>
    <message>
        <source>Next page, or show the answer (Page Down)</source>
        <translation>다음, 또는 답 보기 (Page Down)</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>이전 단계</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>다음 단계</translation>
    </message>
</context>
<context>
    <name>StripControl</name>
    <message>
        <source>variant</source>
        <translation>버전</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>compared with</source>
        <translation>비교 대상</translation>
    </message>
</context>
<context>
    <name>StripRow</name>
    <message>
        <source>Folded panes</source>
        <translation>접힌 창</translation>
    </message>
    <message>
        <source>after your answer</source>
        <translation>답한 뒤에</translation>
    </message>
</context>
<context>
    <name>SubjectButton</name>
    <message>
        <source>The function in this pane, with the arguments of its first call in the run</source>
        <translation>이 창이 보여 주는 함수. 인자는 이번 실행의 첫 호출에서 가져옵니다</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>함수</translation>
    </message>
    <message>
        <source>{name}, line {line}</source>
        <translation>{name}, {line}번째 줄</translation>
    </message>
</context>
<context>
    <name>Tabs</name>
    <message>
        <source>Show {}</source>
        <translation>{} 보기</translation>
    </message>
</context>
<context>
    <name>TimingView</name>
    <message>
        <source>Curves</source>
        <translation>곡선</translation>
    </message>
    <message>
        <source>One call</source>
        <translation>호출 한 번</translation>
    </message>
    <message>
        <source>Timing page</source>
        <translation>시간 페이지</translation>
    </message>
    <message>
        <source>Nothing has been timed yet. Press Time.</source>
        <translation>아직 잰 것이 없습니다. 시간 재기를 누르세요.</translation>
    </message>
    <message>
        <source>Timing has started. The first results come in a moment.</source>
        <translation>시간을 재고 있습니다. 곧 첫 결과가 나옵니다.</translation>
    </message>
    <message>
        <source>Timing needs a function that this file calls with arrays, and there is none.</source>
        <translation>시간을 재려면 이 파일이 배열로 호출하는 함수가 있어야 하는데, 없습니다.</translation>
    </message>
</context>
<context>
    <name>TimingWords</name>
    <message>
        <source>cut short</source>
        <translation>중단됨</translation>
    </message>
    <message>
        <source>failed here</source>
        <translation>여기서 실패</translation>
    </message>
    <message>
        <source>over its budget</source>
        <translation>예산 초과</translation>
    </message>
    <message>
        <source>on another device</source>
        <translation>다른 장치에서</translation>
    </message>
    <message>
        <source>constant-folded</source>
        <translation>상수로 접힘</translation>
    </message>
    <message>
        <source>outputs differ</source>
        <translation>출력이 다름</translation>
    </message>
    <message>
        <source>NumPy inputs</source>
        <translation>NumPy 입력</translation>
    </message>
    <message>
        <source>You can see whether the times are reliable when all points are measured.</source>
        <translation>시간을 믿어도 되는지는 점을 모두 재면 나옵니다.</translation>
    </message>
    <message>
        <source>Not reliable: {reasons}.</source>
        <translation>믿을 수 없습니다: {reasons}.</translation>
    </message>
    <message>
        <source>dispatch floor {time}</source>
        <translation>최소 호출 비용 {time}</translation>
    </message>
    <message>
        <source>no measurable difference</source>
        <translation>측정할 수 있는 차이 없음</translation>
    </message>
    <message>
        <source>about as fast</source>
        <translation>비슷한 속도</translation>
    </message>
    <message>
        <source>{times} times faster</source>
        <translation>{times}배 빠름</translation>
    </message>
    <message>
        <source>{times} times slower</source>
        <translation>{times}배 느림</translation>
    </message>
    <message>
        <source>{start}: {median} a call, half of them from {q1} to {q3}, {samples} samples</source>
        <translation>{start}: 호출당 {median}, 절반은 {q1}~{q3}, 표본 {samples}개</translation>
    </message>
    <message>
        <source>against {first}: {ratio}</source>
        <translation>{first} 대비 {ratio}</translation>
    </message>
    <message>
        <source>stopped before there was a sample</source>
        <translation>표본이 나오기 전에 멈춤</translation>
    </message>
    <message>
        <source>unstable: {reason}</source>
        <translation>불안정: {reason}</translation>
    </message>
    <message>
        <source>no times: {reason}</source>
        <translation>시간 없음: {reason}</translation>
    </message>
    <message>
        <source>no times for {labels}: {reason}</source>
        <translation>{labels}의 시간 없음: {reason}</translation>
    </message>
    <message>
        <source>{one} and {other} are equally quick</source>
        <translation>{one}, {other} 비슷함</translation>
    </message>
    <message>
        <source>{one} and {count} others are equally quick</source>
        <translation>{one} 외 {count}개 비슷함</translation>
    </message>
    <message>
        <source>{one} is quickest: {time}</source>
        <translation>가장 빠른 것은 {one}: {time}</translation>
    </message>
    <message>
        <source>{sentence}, so far</source>
        <translation>지금까지는 {sentence}</translation>
    </message>
    <message>
        <source>{name} is faster in every sample; the times vary too much for a factor</source>
        <translation>모든 표본에서 {name} 쪽이 더 빠름: 시간이 들쭉날쭉해 배율은 알 수 없음</translation>
    </message>
    <message>
        <source>the times vary too much to compare</source>
        <translation>시간이 들쭉날쭉해 비교할 수 없음</translation>
    </message>
    <message>
        <source>no speed-up is known: {name} returns no array, so jit computes nothing</source>
        <translation>속도 비교 불가: 배열을 반환하지 않는 {name}에서 jit은 아무것도 계산하지 않습니다</translation>
    </message>
    <message>
        <source>{ratio}, vmap against a loop over {count} examples</source>
        <translation>{ratio}, 샘플 {count}개의 반복문과 비교한 vmap</translation>
    </message>
    <message>
        <source>{ratio} with jit</source>
        <translation>jit을 쓰면 {ratio}</translation>
    </message>
    <message>
        <source>{text} at {place}</source>
        <translation>{place}에서 {text}</translation>
    </message>
    <message>
        <source>no speed-up is known: {reason}</source>
        <translation>속도 비교 불가: {reason}</translation>
    </message>
    <message>
        <source>faster at every size measured</source>
        <translation>측정한 모든 크기에서 빠름</translation>
    </message>
    <message>
        <source>faster from {count} examples on</source>
        <translation>샘플 {count}개부터 빠름</translation>
    </message>
    <message>
        <source>You can see when jit pays for itself once both are measured.</source>
        <translation>jit이 컴파일 비용을 언제 회수하는지는 둘 다 끝나면 나옵니다.</translation>
    </message>
    <message>
        <source>jit never pays for itself: its calls are not faster.</source>
        <translation>jit은 컴파일 비용을 회수하지 못합니다. 호출이 더 빠르지 않습니다.</translation>
    </message>
    <message>
        <source>jit has paid for its compilation by call {calls}; in a new process, where eager code compiles too, by call {fresh}.</source>
        <translation>jit은 {calls}번째 호출까지 컴파일 비용을 회수합니다. 새 프로세스에서는 eager 코드도 컴파일하므로 {fresh}번째까지입니다.</translation>
    </message>
    <message>
        <source>unstable points (hollow in the curves): {count} of {all}</source>
        <translation>점 {all}개 가운데 {count}개가 불안정합니다(곡선에서 속이 빈 점)</translation>
    </message>
    <message>
        <source>{median} a call</source>
        <translation>호출당 {median}</translation>
    </message>
    <message>
        <source>about {times}</source>
        <translation>약 {times}</translation>
    </message>
    <message>
        <source>Reliable: every result was waited for, and no doubt was found.</source>
        <translation>믿을 수 있습니다. 결과를 매번 기다렸고, 의심할 것이 없습니다.</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low}~{high}</translation>
    </message>
</context>
<context>
    <name>Timings</name>
    <message>
        <source>Timing ended: {}</source>
        <translation>측정이 끝났습니다: {}</translation>
    </message>
    <message>
        <source>Timing was cut short; what was measured stays.</source>
        <translation>측정을 도중에 멈추었습니다. 잰 것은 남습니다.</translation>
    </message>
    <message>
        <source>Not measured yet.</source>
        <translation>아직 재지 않았습니다.</translation>
    </message>
    <message>
        <source>Timing on {other} now, not in turns with {device}.</source>
        <translation>이제 {other}에서 잽니다. {device:과} 번갈아 재지는 않습니다.</translation>
    </message>
    <message>
        <source>Stopped after {limit} s. Not measured: {values}. Press Time (Ctrl+T) to measure them, too.</source>
        <translation>{limit}초가 지나 재지 못한 값: {values}. 마저 재려면 시간 재기(Ctrl+T)를 누르세요.</translation>
    </message>
    <message>
        <source>Press Time (Ctrl+T) for more than these {limit} s.</source>
        <translation>{limit}초보다 오래 재려면 시간 재기(Ctrl+T)를 누르세요.</translation>
    </message>
    <message>
        <source>Time again (Ctrl+T) when the machine is idle.</source>
        <translation>컴퓨터가 다른 일을 하지 않을 때 시간을 다시 재세요(Ctrl+T).</translation>
    </message>
</context>
<context>
    <name>Tour</name>
    <message>
        <source>See what JAX hides: keys, noise, program and time of the code on the left, live. Ctrl+O opens yours.</source>
        <translation>JAX가 감추는 것: 왼쪽 코드의 key, 노이즈, 프로그램, 시간을 바로 보여 줍니다. Ctrl+O로 자기 코드를 엽니다.</translation>
    </message>
    <message>
        <source>Got it</source>
        <translation>알겠습니다</translation>
    </message>
    <message>
        <source>Close this line; the Help menu shows it again</source>
        <translation>이 줄을 닫습니다. 도움말 메뉴에서 다시 볼 수 있습니다</translation>
    </message>
</context>
<context>
    <name>TraceWords</name>
    <message>
        <source>{counts} in {time}</source>
        <translation>{counts} ({time})</translation>
    </message>
    <message>
        <source>, line {line}</source>
        <translation>, {line}번째 줄</translation>
    </message>
    <message>
        <source>traced {times}</source>
        <translation>trace {times}</translation>
    </message>
    <message>
        <source>lowered</source>
        <translation>lower</translation>
    </message>
    <message>
        <source>compiled {times}</source>
        <translation>컴파일 {times}</translation>
    </message>
    <message>
        <source>once</source>
        <translation>한 번</translation>
    </message>
    <message>
        <source>{count} times</source>
        <translation>{count}번</translation>
    </message>
    <message>
        <source>first call</source>
        <translation>첫 호출</translation>
    </message>
    <message>
        <source>new shape</source>
        <translation>새 모양</translation>
    </message>
    <message>
        <source>new dtype</source>
        <translation>새 dtype</translation>
    </message>
    <message>
        <source>new weak type</source>
        <translation>새 weak type</translation>
    </message>
    <message>
        <source>new static value</source>
        <translation>새 static 값</translation>
    </message>
    <message>
        <source>new structure</source>
        <translation>새 구조</translation>
    </message>
    <message>
        <source>new function object</source>
        <translation>새 함수 객체</translation>
    </message>
    <message>
        <source>another reason</source>
        <translation>다른 이유</translation>
    </message>
</context>
<context>
    <name>TransformOptions</name>
    <message>
        <source>of the sum</source>
        <translation>합으로</translation>
    </message>
    <message>
        <source>Differentiate the sum of all outputs; grad alone needs a function that returns one number</source>
        <translation>출력을 모두 더한 값을 미분합니다. grad만으로는 수 하나를 반환하는 함수만 미분합니다</translation>
    </message>
    <message>
        <source>Axis of {} that vmap maps over: {}</source>
        <translation>{}에서 vmap이 매핑하는 축: {}</translation>
    </message>
    <message>
        <source>axis {axis} ({length})</source>
        <translation>축 {axis} ({length})</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>공유</translation>
    </message>
    <message>
        <source>Axis of the outputs that holds the examples</source>
        <translation>출력에서 샘플이 놓이는 축</translation>
    </message>
    <message>
        <source>axis {}</source>
        <translation>축 {}</translation>
    </message>
    <message>
        <source>Argument to differentiate with respect to</source>
        <translation>어느 인자로 미분할지</translation>
    </message>
    <message>
        <source>→ out</source>
        <translation>→ 출력</translation>
    </message>
    <message>
        <source>by</source>
        <translation>인자</translation>
    </message>
</context>
<context>
    <name>TransformRow</name>
    <message>
        <source>Transforms</source>
        <translation>변환</translation>
    </message>
    <message>
        <source>Transforms of the variant</source>
        <translation>버전에 씌운 변환</translation>
    </message>
    <message>
        <source>Run everything with 64-bit types: jax.enable_x64(True), for these runs only</source>
        <translation>모두 64비트 타입으로 실행합니다: jax.enable_x64(True), 이번 실행에만</translation>
    </message>
    <message>
        <source>Draw as JAX does today; off: as versions before 0.5 did, jax.threefry_partitionable(False)</source>
        <translation>지금의 JAX처럼 뽑습니다. 끄면 0.5 이전처럼 뽑습니다: jax.threefry_partitionable(False)</translation>
    </message>
    <message>
        <source>The call as Python</source>
        <translation>Python으로 쓴 호출</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>복사</translation>
    </message>
    <message>
        <source>Copy the call as Python</source>
        <translation>호출을 Python 코드로 복사</translation>
    </message>
    <message>
        <source>Compile the variant: jax.jit</source>
        <translation>버전을 컴파일합니다: jax.jit</translation>
    </message>
    <message>
        <source>Run it for each example along an axis: jax.vmap</source>
        <translation>축을 따라 샘플마다 실행합니다: jax.vmap</translation>
    </message>
    <message>
        <source>Differentiate it: jax.grad</source>
        <translation>미분합니다: jax.grad</translation>
    </message>
    <message>
        <source>Its value and its derivative in the direction of ones: jax.jvp</source>
        <translation>값과, 1로 채운 방향의 미분을 구합니다: jax.jvp</translation>
    </message>
    <message>
        <source>Recompute values in the backward pass instead of keeping them: jax.checkpoint; visible under grad</source>
        <translation>값을 남겨 두지 않고 역전파에서 다시 계산합니다: jax.checkpoint. grad와 함께일 때 드러납니다</translation>
    </message>
</context>
<context>
    <name>Unreadable</name>
    <message>
        <source>{} could not be read.</source>
        <translation>{}: 읽지 못했습니다.</translation>
    </message>
    <message>
        <source>{} could not be read, and is kept as {}.</source>
        <translation>{}: 읽지 못했습니다. 보관한 파일 이름: {}</translation>
    </message>
</context>
<context>
    <name>ValueBar</name>
    <message>
        <source>No value for the selected equation. {}</source>
        <translation>선택한 식의 값이 없습니다. {}</translation>
    </message>
    <message>
        <source>iteration {step} of {length} of the {loop}</source>
        <translation>{loop}: {length}번 중 {step}번째 반복</translation>
    </message>
    <message>
        <source>Iteration of the {}</source>
        <translation>{}의 몇 번째 반복인지</translation>
    </message>
</context>
<context>
    <name>VariantNames</name>
    <message>
        <source>whole file</source>
        <translation>파일 전체</translation>
    </message>
    <message>
        <source>{variant} as it was</source>
        <translation>고치기 전 {variant}</translation>
    </message>
</context>
<context>
    <name>VoteBars</name>
    <message>
        <source>1 vote counted</source>
        <translation>투표 1표</translation>
    </message>
    <message>
        <source>{} votes counted</source>
        <translation>투표 {}표</translation>
    </message>
    <message>
        <source>Vote {}: {}</source>
        <translation>투표 {}: {}</translation>
    </message>
</context>
<context>
    <name>WebLinks</name>
    <message>
        <source>This link was not opened, because it is not a web address:</source>
        <translation>웹 주소가 아니므로 이 링크를 열지 않았습니다.</translation>
    </message>
    <message>
        <source>Open this address in your browser?</source>
        <translation>이 주소를 브라우저에서 열까요?</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>열기</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>The code</source>
        <translation>코드</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>답</translation>
    </message>
    <message>
        <source>Not graded: this machine cannot tell the choices apart here. {}.</source>
        <translation>채점하지 않습니다. 이 컴퓨터에서는 지금 선택지를 구별할 수 없습니다. {}.</translation>
    </message>
    <message>
        <source>Read on</source>
        <translation>이어서 읽기</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>직접 해 보기</translation>
    </message>
    <message>
        <source>When it is done</source>
        <translation>다 했다면</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>진단</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>답</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>레슨</translation>
    </message>
    <message>
        <source>Builds on: {}</source>
        <translation>먼저 볼 레슨: {}</translation>
    </message>
    <message>
        <source>The code of this lesson was changed. Pictures and figures are those of the code here.</source>
        <translation>이 레슨의 코드가 수정되었습니다. 그림과 수치는 여기 있는 코드의 것입니다.</translation>
    </message>
    <message>
        <source>“…” is a figure from your own code.</source>
        <translation>“…”는 직접 고친 코드에서 나오는 수치입니다.</translation>
    </message>
    <message>
        <source>in {}</source>
        <translation>{}에서</translation>
    </message>
    <message>
        <source>and {} more lines</source>
        <translation>그 밖에 {}줄</translation>
    </message>
    <message>
        <source>Computed by running the code: {}.</source>
        <translation>코드를 실행해 계산한 결과입니다: {}.</translation>
    </message>
    <message>
        <source>Made with JAX Explorer on {}.</source>
        <translation>{}에 JAX Explorer로 만들었습니다.</translation>
    </message>
    <message>
        <source>Call a variant with the arguments that `inputs` returns.</source>
        <translation>`inputs`가 반환하는 인자로 버전을 호출합니다.</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>오류</translation>
    </message>
    <message>
        <source>Bug</source>
        <translation>버그</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>경고</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>참고</translation>
    </message>
    <message>
        <source>{variant}, line {line}</source>
        <translation>{variant}, {line}번째 줄</translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation>{line}번째 줄</translation>
    </message>
</context>
<context>
    <name>WorkerClient</name>
    <message>
        <source>JAX starts again, because the program sets what it reads at its start.</source>
        <translation>프로그램이 JAX가 시작할 때 읽는 값을 설정하므로 JAX를 다시 시작합니다.</translation>
    </message>
    <message>
        <source>The last run left something in its process ({}), so another process took over.</source>
        <translation>지난 실행이 프로세스에 남긴 것이 있어({}) 다른 프로세스가 이어받았습니다.</translation>
    </message>
    <message>
        <source>{remote} has not answered for {seconds} s.</source>
        <translation>{remote}: {seconds}초 동안 응답이 없습니다.</translation>
    </message>
    <message>
        <source>Waiting for {remote}, {seconds} s so far.</source>
        <translation>{remote}의 응답을 {seconds}초째 기다리고 있습니다.</translation>
    </message>
    <message>
        <source>{words}. Trying again in {seconds} s.</source>
        <translation>{words}. {seconds}초 뒤에 다시 연결합니다.</translation>
    </message>
</context>
<context>
    <name>Workspace</name>
    <message>
        <source>Another window is editing this code too. Each window keeps its own edits.</source>
        <translation>다른 창에서도 이 코드를 편집하고 있습니다. 각 창은 자기 편집을 따로 보관합니다.</translation>
    </message>
    <message>
        <source>Your edits could not be kept on disk ({}). They are safe while the window is open.</source>
        <translation>고친 내용을 디스크에 남기지 못했습니다({}). 창이 열려 있는 동안은 안전합니다.</translation>
    </message>
</context>
<context>
    <name>picture_choice</name>
    <message>
        <source>example {}</source>
        <translation>{}번 샘플</translation>
    </message>
    <message>
        <source>feature {}</source>
        <translation>{}번 특징</translation>
    </message>
    <message>
        <source>axis {} at {}</source>
        <translation>축 {}의 {}</translation>
    </message>
</context>
<context>
    <name>program_cost</name>
    <message>
        <source>The compiler for this device does not report the cost of a call.</source>
        <translation>이 장치의 컴파일러는 호출 비용을 알려 주지 않습니다.</translation>
    </message>
    <message>
        <source>The {} devices exchange no data.</source>
        <translation>장치 {}개가 주고받는 데이터가 없습니다.</translation>
    </message>
    <message>
        <source>The {devices} devices exchange data: {kinds}.</source>
        <translation>장치 {devices}개가 데이터를 주고받습니다: {kinds}.</translation>
    </message>
    <message>
        <source>The compiler&apos;s own estimate for one call, not a measurement. The body of a loop counts once. Bytes read and written include every operation, even in a cache. With a loop, they are not known.</source>
        <translation>호출 한 번의 비용을 컴파일러가 추정한 값이며, 측정한 값이 아닙니다. 루프의 본문은 한 번만 셉니다. 읽고 쓴 바이트는 모든 연산을 세며, 캐시에 머무는 것도 포함합니다. 루프가 있으면 알 수 없습니다.</translation>
    </message>
    <message>
        <source>The work of a call is not known: a library outside XLA does part of it.</source>
        <translation>호출 한 번의 계산량은 알 수 없습니다. 일부를 XLA 밖의 라이브러리가 계산합니다.</translation>
    </message>
    <message>
        <source>The compiler does not report how much work a call is.</source>
        <translation>호출 한 번의 계산량을 컴파일러가 알려 주지 않습니다.</translation>
    </message>
    <message>
        <source>no floating-point operations reported</source>
        <translation>부동소수점 연산 수 알 수 없음</translation>
    </message>
    <message>
        <source>{} floating-point operations</source>
        <translation>부동소수점 연산 {}회</translation>
    </message>
    <message>
        <source>{} values of exp, sqrt and the like</source>
        <translation>exp, sqrt 같은 함수값 {}개</translation>
    </message>
    <message>
        <source>, {} read and written</source>
        <translation>, 읽고 쓰기 {}</translation>
    </message>
    <message>
        <source>One call: {work}.</source>
        <translation>호출 한 번: {work}.</translation>
    </message>
    <message>
        <source>One call: {work}. The body of a loop counts once.</source>
        <translation>호출 한 번: {work}. 루프의 본문은 한 번만 셉니다.</translation>
    </message>
    <message>
        <source>arguments {}</source>
        <translation>인자 {}</translation>
    </message>
    <message>
        <source>outputs {}</source>
        <translation>출력 {}</translation>
    </message>
    <message>
        <source>temporary {}</source>
        <translation>임시 {}</translation>
    </message>
    <message>
        <source>Memory at most {} at one time</source>
        <translation>동시에 쓰는 메모리 최대 {}</translation>
    </message>
    <message>
        <source>Memory: {}.</source>
        <translation>메모리: {}.</translation>
    </message>
    <message>
        <source>The compiler does not report how much memory it takes.</source>
        <translation>메모리를 얼마나 쓰는지 컴파일러가 알려 주지 않습니다.</translation>
    </message>
</context>
<context>
    <name>program_hover</name>
    <message>
        <source>passed in on line {} of this text</source>
        <translation>이 텍스트 {}번째 줄에서 받은 값</translation>
    </message>
    <message>
        <source>made by {primitive} on line {row} of this text</source>
        <translation>이 텍스트 {row}번째 줄의 {primitive:이} 만든 값</translation>
    </message>
    <message>
        <source>used nowhere</source>
        <translation>쓰이지 않음</translation>
    </message>
    <message>
        <source>used once</source>
        <translation>한 번 쓰임</translation>
    </message>
    <message>
        <source>used {} times</source>
        <translation>{}번 쓰임</translation>
    </message>
    <message>
        <source>random key, {}</source>
        <translation>난수 key, {}</translation>
    </message>
    <message>
        <source>{}, a single value</source>
        <translation>{}, 값 하나</translation>
    </message>
    <message>
        <source>{dtype}, shape {shape}</source>
        <translation>{dtype}, 모양 {shape}</translation>
    </message>
    <message>
        <source>This operation has no description yet; name and types are JAX&apos;s own.</source>
        <translation>이 연산에는 아직 설명이 없습니다. 이름과 타입은 JAX의 것입니다.</translation>
    </message>
    <message>
        <source>inside the library, for several lines of the code</source>
        <translation>라이브러리 안, 코드 여러 줄에서 함께 씀</translation>
    </message>
    <message>
        <source>JAX knows no line of the code for this</source>
        <translation>JAX가 이것에 해당하는 코드 줄을 모릅니다</translation>
    </message>
    <message>
        <source>from line {} of the code</source>
        <translation>코드 {}번째 줄에서</translation>
    </message>
</context>
</TS>
